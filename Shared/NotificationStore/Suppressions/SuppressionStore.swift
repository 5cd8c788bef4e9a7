public import Foundation
import BelfryJSON
public import NotificationModel
public import Postgres

/// Addresses that get no mail, or none that may be unsubscribed (decision 0102).
public struct SuppressionStore: Sendable {
  let client: PostgresClient

  public init(client: PostgresClient) {
    self.client = client
  }

  /// Writes down what is said of addresses, and suppresses those of which it is enough: ``SuppressionEvidence/Kind/effect``.
  ///
  /// Said again, it changes nothing but the words and the time of the last. Whoever fails may say all of it again.
  public func record(_ evidence: [SuppressionEvidence]) async throws {
    let draft = SuppressionDraft(evidence, now: .now)
    if !draft.rows.isEmpty { _ = try await client.query(Self.suppressing(draft.rows)) }
    guard !draft.softBounces.isEmpty else { return }
    // One after the other, not in a transaction: of two that are written at once the later sees both.
    _ = try await client.query(Self.counting(draft.softBounces))
    _ = try await client.query(Self.suppressing(repeated: draft.suspects))
  }

  /// Suppresses an address by hand, and notes who did.
  ///
  /// - Parameters:
  ///   - address: One that a profile can have.
  ///   - requestID: Of the HTTP request, as logs name it.
  /// - Returns: The suppression, and whether it is new; one that was there stays as it is.
  public func add(
    _ address: String,
    at now: Date = .now,
    by actor: String,
    requestID: String? = nil
  ) async throws -> (suppression: Suppression, isNew: Bool) {
    let address = MailAddress.canonical(address)
    return try await client.withTransaction { transaction in
      guard let row = try await transaction.query(Self.adding(address, at: now)).first else {
        preconditionFailure("INSERT … ON CONFLICT DO UPDATE has a row")
      }
      let isNew: Bool = try row.get("is_new")
      if isNew {
        let line = AuditStore.line(actor: actor, action: "suppression.add", subject: address, requestID: requestID)
        _ = try await transaction.query(line)
      }
      return (try Suppression(row), isNew)
    }
  }

  /// A page, the newest first.
  ///
  /// - Parameters:
  ///   - address: This one alone, in whatever case its domain is written.
  ///   - cursor: Of the last entry of the page before; nil begins with the newest.
  public func list(
    address: String? = nil,
    reason: SuppressionReason? = nil,
    after cursor: Suppression.Cursor? = nil,
    limit: Int
  ) async throws -> (suppressions: [Suppression], hasMore: Bool) {
    let rows: PostgresResult
    let cursor = cursor ?? .first
    if let address {
      rows = try await client.query(
        Self.of(MailAddress.canonical(address), reason, after: cursor, limit: limit + 1),
        planned: .alongIndexes
      )
    } else if let reason {
      rows = try await client.query(Self.of(reason, after: cursor, limit: limit + 1), planned: .inIndexOrder)
    } else {
      rows = try await client.query(Self.all(after: cursor, limit: limit + 1), planned: .inIndexOrder)
    }
    var suppressions: [Suppression] = []
    for row in rows { suppressions.append(try Suppression(row)) }
    return (Array(suppressions.prefix(limit)), suppressions.count > limit)
  }

  /// Why the mail address of a user's profile is not written to; nil if it is, or there is none.
  public func suppression(of user: UserID) async throws(PostgresError) -> AddressSuppression? {
    guard let row = try await client.query(Self.of(user), planned: .alongIndexes).first else { return nil }
    return AddressSuppression(SuppressionReason(rawValue: try row.get(0)), since: try row.get(1))
  }

  /// Lets an address have mail again, whatever the reason was, and forgets what was counted of it.
  ///
  /// - Parameters:
  ///   - actor: Who does it, for the audit log; nil leaves no line.
  ///   - requestID: Of the HTTP request, as logs name it.
  /// - Returns: False if it was not suppressed.
  @discardableResult
  public func remove(_ address: String, by actor: String? = nil, requestID: String? = nil) async throws -> Bool {
    let address = MailAddress.canonical(address)
    return try await client.withTransaction { transaction in
      let results = try await transaction.queries([Self.removing(address), Self.forgetting(address)])
      var reasons: [SuppressionReason] = []
      for row in results[0] { reasons.append(SuppressionReason(rawValue: try row.get(0))) }
      guard !reasons.isEmpty else { return false }
      if let actor {
        let names = reasons.sorted { $0.rawValue < $1.rawValue }.map { JSONValue.string($0.name) }
        let line = AuditStore.line(
          actor: actor,
          action: "suppression.remove",
          subject: address,
          detail: .object([JSONMember("reasons", .array(names))]),
          requestID: requestID
        )
        _ = try await transaction.query(line)
      }
      return true
    }
  }
}
