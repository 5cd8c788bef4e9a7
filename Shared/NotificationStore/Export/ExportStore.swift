public import Foundation
public import NotificationModel
public import Postgres

/// Exports all that is kept about users (decision 0048).
///
/// A table is a part, and a file of its own here: one that knows users and has none fails a test.
public struct ExportStore: Sendable {
  private let client: PostgresClient
  private let catalogue: Catalogue

  public init(client: PostgresClient, catalogue: Catalogue) {
    self.client = client
    self.catalogue = catalogue
  }

  /// In this order.
  static let parts: [ExportPart] = [
    .profile, .suppressions, .softBounces, .preferences, .categoryPreferences, .mutes, .groups, .devices, .topics,
    .inbox,
    .notifications, .changes, .snoozes,
    .engagement, .deliveries, .held, .throttleUses, .ruleStates, .presence, .schedules, .erasures, .audit,
  ]

  /// Reads the first of what is kept about a user, so that a database which is not there is known before an answer is begun.
  /// Whom nothing is kept of has an export of nothing.
  ///
  /// - Parameter now: When it is exported.
  public func begin(_ user: UserID, at now: Date) async throws -> UserExport {
    let text = try await UserIdentifierStore.text(of: user, client)
    var export = UserExport(
      user: user,
      called: text,
      client: client,
      catalogue: catalogue,
      channels: catalogue.channels,
      at: now
    )
    _ = try await export.turnPage()
    return export
  }
}
