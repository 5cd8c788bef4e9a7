public import Foundation
import BelfryJSON
public import NotificationModel
public import Postgres

public enum APIKeyTag {}
/// One API key of a service, not the key itself: a UUIDv7, so that later keys have higher ids.
public typealias APIKeyID = Identifier<APIKeyTag>

/// Keys of services that have no tokens. What is kept is a hash.
public struct APIKeyStore: Sendable {
  public struct Key: Sendable, Equatable {
    public var id: APIKeyID
    public var name: String
    /// Names of what it may do.
    public var scopes: [String]
    public var createdAt: Date
    /// Late by up to half a minute; nil of one that was never used.
    public var lastUsedAt: Date?

    public init(id: APIKeyID, name: String, scopes: [String], createdAt: Date, lastUsedAt: Date? = nil) {
      self.id = id
      self.name = name
      self.scopes = scopes
      self.createdAt = createdAt
      self.lastUsedAt = lastUsedAt
    }
  }

  private let client: PostgresClient

  public init(client: PostgresClient) {
    self.client = client
  }

  /// Keeps a new key, and who made it.
  ///
  /// - Parameters:
  ///   - hash: Of the key itself.
  ///   - actor: The subject of who makes it.
  ///   - requestID: Of the HTTP request, as logs name it.
  public func create(_ key: Key, hash: [UInt8], by actor: String, requestID: String? = nil) async throws(PostgresError)
  {
    let detail = JSONValue.object([
      JSONMember(name: "name", value: .string(key.name), range: 0..<0),
      JSONMember(name: "scopes", value: .array(key.scopes.map { .string($0) }), range: 0..<0),
    ])
    _ = try await client.transaction([
      Self.insert(key, hash: hash, by: actor),
      AuditStore.line(
        actor: actor,
        action: "apiKey.create",
        subject: key.id.description,
        detail: detail,
        requestID: requestID
      ),
    ])
  }

  /// Which key has this hash; nil if none has, or it is revoked.
  public func valid(hash: [UInt8]) async throws(PostgresError) -> (id: APIKeyID, scopes: [String])? {
    guard let row = try await client.query(Self.valid(hash: hash)).first else { return nil }
    return (try row.get("id"), try row.get("scopes"))
  }

  /// A page of those that are valid, the newest first.
  ///
  /// - Parameter after: The last one of the page before; nil begins with the newest.
  public func list(after: APIKeyID?, limit: Int) async throws(PostgresError) -> (keys: [Key], hasMore: Bool) {
    var keys: [Key] = []
    for row in try await client.query(Self.list(after: after, limit: limit + 1)) { keys.append(try Key(row)) }
    return (Array(keys.prefix(limit)), keys.count > limit)
  }

  /// Makes a key invalid for good.
  ///
  /// - Returns: False if there is no such key, or none any more.
  public func revoke(_ id: APIKeyID, at now: Date, by actor: String, requestID: String? = nil) async throws -> Bool {
    try await client.withTransaction { transaction in
      guard let row = try await transaction.query(Self.revoke(id, at: now)).first else { return false }
      let name = JSONMember(name: "name", value: .string(try row.get("name")), range: 0..<0)
      _ = try await transaction.query(
        AuditStore.line(
          actor: actor,
          action: "apiKey.revoke",
          subject: id.description,
          detail: .object([name]),
          requestID: requestID
        )
      )
      return true
    }
  }

  /// Notes when keys were used last; what is known to be later stays.
  public func note(_ uses: [APIKeyID: Date]) async throws(PostgresError) {
    guard !uses.isEmpty else { return }
    _ = try await client.query(Self.note(uses.sorted { $0.key < $1.key }))
  }

  // MARK: Statements

  static func insert(_ key: Key, hash: [UInt8], by actor: String) -> SQLQuery {
    """
    INSERT INTO api_keys (id, name, hash, scopes, created_by, created_at)
    VALUES (\(key.id), \(key.name), \(PostgresBytes(hash)), \(key.scopes), \(actor), \(key.createdAt))
    """
  }

  static func valid(hash: [UInt8]) -> SQLQuery {
    "SELECT id, scopes FROM api_keys WHERE hash = \(PostgresBytes(hash)) AND revoked_at IS NULL"
  }

  static func list(after: APIKeyID?, limit: Int) -> SQLQuery {
    """
    SELECT id, name, scopes, created_at, last_used_at FROM api_keys
    WHERE id < \(after ?? APIKeyID(InboxStore.last.uuid)) AND revoked_at IS NULL
    ORDER BY id DESC LIMIT \(limit)
    """
  }

  static func revoke(_ id: APIKeyID, at now: Date) -> SQLQuery {
    "UPDATE api_keys SET revoked_at = \(now) WHERE id = \(id) AND revoked_at IS NULL RETURNING name"
  }

  /// Rows are locked in the order of their ids: several gateways note the same keys.
  static func note(_ uses: [(key: APIKeyID, value: Date)]) -> SQLQuery {
    """
    WITH locked AS MATERIALIZED (
      SELECT id FROM api_keys WHERE id = ANY (\(uses.map(\.key))) ORDER BY id FOR NO KEY UPDATE
    )
    UPDATE api_keys k SET last_used_at = greatest(k.last_used_at, u.at)
    FROM locked l JOIN unnest(\(uses.map(\.key)), \(uses.map(\.value))) AS u(id, at) USING (id)
    WHERE k.id = l.id
    """
  }
}

extension APIKeyStore.Key {
  fileprivate init(_ row: PostgresRow) throws(PostgresError) {
    self.init(
      id: try row.get("id"),
      name: try row.get("name"),
      scopes: try row.get("scopes"),
      createdAt: try row.get("created_at"),
      lastUsedAt: try row.get("last_used_at")
    )
  }
}
