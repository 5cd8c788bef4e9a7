import Foundation
public import NotificationModel
public import Postgres

/// Remembers which request a sender's key stands for, so that the same key gives the same ids.
public struct IdempotencyStore: Sendable {
  /// A claim to a key.
  public struct Claim: Sendable {
    /// Who chose the key: keys of different senders never meet.
    public var scope: String
    public var key: String
    /// The id the request gets if the key is new.
    public var requestID: RequestID
    public var bodyHash: [UInt8]

    public init(scope: String, key: String, requestID: RequestID, bodyHash: [UInt8]) {
      self.scope = scope
      self.key = key
      self.requestID = requestID
      self.bodyHash = bodyHash
    }
  }

  /// What a key stands for.
  public struct Entry: Sendable {
    public var requestID: RequestID
    /// False if the key was used before with another body.
    public var isSameBody: Bool
    /// Whether the broker has confirmed the request.
    public var isConfirmed: Bool
    /// Whether this call made the entry.
    public var isNew: Bool
  }

  private let client: PostgresClient

  public init(client: PostgresClient) {
    self.client = client
  }

  /// Claims keys, or answers what they stand for already, in the order of the claims.
  ///
  /// Of claims with the same key, in one call or concurrent ones, one wins, and all get its request's id.
  public func claim(_ claims: [Claim]) async throws(PostgresError) -> [Entry] {
    guard !claims.isEmpty else { return [] }
    // Two statements: the second sees what a concurrent caller committed while the first waited for it.
    let results = try await client.transaction([Self.insertion(of: claims), Self.reading(of: claims)])
    return try Self.entries(results[1], of: claims)
  }

  /// What the claim's key stands for; nil of one that nobody has. Claims nothing.
  public func entry(of claim: Claim) async throws(PostgresError) -> Entry? {
    try Self.entries(try await client.query(Self.reading(of: [claim])), of: [claim]).first
  }

  /// As ``claim(_:)`` in a transaction of the caller's, which others with the same key wait for.
  static func claim(_ claim: Claim, in transaction: PostgresTransaction) async throws(PostgresError) -> Entry {
    _ = try await transaction.query(insertion(of: [claim]))
    let rows = try await transaction.query(reading(of: [claim]))
    guard let entry = try entries(rows, of: [claim]).first else { preconditionFailure("one claim gets one entry") }
    return entry
  }

  /// Notes that the broker has confirmed the request, so that a repetition need not publish it again.
  public func confirm(scope: String, key: String) async throws(PostgresError) {
    _ = try await client.query(Self.confirmation(scope: scope, key: key))
  }

  // MARK: Statements

  /// The update that never happens locks keys that are there, so that maintenance cannot delete one before it is read.
  private static func insertion(of claims: [Claim]) -> SQLQuery {
    """
    INSERT INTO idempotency_keys (scope, key, request_id, body_hash)
    SELECT DISTINCT ON (scope, key) scope, key, request_id, body_hash
    FROM unnest(\(claims.map(\.scope)), \(claims.map(\.key)), \(claims.map(\.requestID)),
      \(claims.map { PostgresBytes($0.bodyHash) })) WITH ORDINALITY AS c(scope, key, request_id, body_hash, position)
    ORDER BY scope, key, position
    ON CONFLICT (scope, key) DO UPDATE SET confirmed = excluded.confirmed WHERE false
    """
  }

  private static func reading(of claims: [Claim]) -> SQLQuery {
    """
    SELECT k.request_id, k.body_hash, k.confirmed
    FROM unnest(\(claims.map(\.scope)), \(claims.map(\.key))) WITH ORDINALITY AS c(scope, key, position)
      JOIN idempotency_keys k ON k.scope = c.scope AND k.key = c.key
    ORDER BY c.position
    """
  }

  static func confirmation(scope: String, key: String) -> SQLQuery {
    "UPDATE idempotency_keys SET confirmed = true WHERE scope = \(scope) AND key = \(key)"
  }

  private static func entries(_ rows: PostgresResult, of claims: [Claim]) throws(PostgresError) -> [Entry] {
    var entries: [Entry] = []
    for (row, claim) in zip(rows, claims) {
      let requestID: RequestID = try row.get(0)
      let hash: PostgresBytes = try row.get(1)
      entries.append(
        Entry(
          requestID: requestID,
          isSameBody: hash.bytes == claim.bodyHash,
          isConfirmed: try row.get(2),
          isNew: requestID == claim.requestID
        )
      )
    }
    return entries
  }
}
