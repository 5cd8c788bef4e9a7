public import NotificationModel
public import Postgres

/// Addresses that get no mail.
public struct SuppressionStore: Sendable {
  private let client: PostgresClient

  public init(client: PostgresClient) {
    self.client = client
  }

  /// Suppresses the addresses whose evidence suffices.
  public func record(_ evidence: [SuppressionEvidence]) async throws {
    let dead = evidence.filter { if case .permanent = $0.kind { true } else { false } }.map { $0.address }
    guard !dead.isEmpty else { return }
    _ = try await client.query(
      "UPDATE users SET email_status = 1, updated_at = now() WHERE email = ANY (\(dead)) AND email_status = 0"
    )
  }
}
