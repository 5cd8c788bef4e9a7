public import NotificationModel
public import Postgres

/// What people look at right now, as the in-app nodes report it.
///
/// It belongs to connections: a row goes with its connection or with its node, and counts only while the node is seen. A
/// restart of PostgreSQL after a crash forgets all of it.
public struct PresenceStore: Sendable {
  /// A node that was not seen for so long has no viewers any more. Nodes call ``heartbeat(_:)`` several times as often.
  public static let freshness: Duration = .seconds(30)

  private let client: PostgresClient

  public init(client: PostgresClient) {
    self.client = client
  }

  // MARK: What a node reports

  /// Notes what a connection's user looks at, in place of what it was before.
  public func start(
    _ user: UserID,
    connection: String,
    node: String,
    entity: RelatedEntity
  ) async throws(PostgresError) {
    _ = try await client.query(
      """
      INSERT INTO presence (user_id, connection_id, node, entity_type, entity_id)
      VALUES (\(user), \(connection), \(node), \(entity.type), \(entity.id))
      ON CONFLICT (user_id, connection_id) DO UPDATE SET
        node = excluded.node, entity_type = excluded.entity_type, entity_id = excluded.entity_id
      """
    )
  }

  /// Forgets what these connections' users look at; those that look at nothing are passed over.
  public func stop(_ connections: [(user: UserID, connection: String)]) async throws(PostgresError) {
    guard !connections.isEmpty else { return }
    _ = try await client.query(Self.stop(connections))
  }

  /// Says that a node lives. Call it before the first ``start(_:connection:node:entity:)`` and then every few seconds.
  public func heartbeat(_ node: String) async throws(PostgresError) {
    _ = try await client.query(
      "INSERT INTO nodes (node) VALUES (\(node)) ON CONFLICT (node) DO UPDATE SET seen_at = now()"
    )
  }

  /// Forgets a node and what was looked at over it.
  public func remove(_ node: String) async throws(PostgresError) {
    _ = try await client.transaction([
      "DELETE FROM presence WHERE node = \(node)",
      "DELETE FROM nodes WHERE node = \(node)",
    ])
  }

  // MARK: What the router asks

  /// What these people look at over nodes that live; people who look at nothing are left out.
  ///
  /// - Parameter timeout: The server gives up after it, and the answer is an error: whoever asks can do without.
  public func viewed(
    by users: [UserID],
    timeout: Duration
  ) async throws(PostgresError) -> [UserID: Set<RelatedEntity>] {
    guard !users.isEmpty else { return [:] }
    let rows = try await client.query(Self.viewed(by: users), planned: .alongIndexes(within: timeout))
    var viewed: [UserID: Set<RelatedEntity>] = [:]
    for row in rows {
      guard let entity = RelatedEntity(type: try row.get(1), id: try row.get(2)) else { continue }
      viewed[try row.get(0), default: []].insert(entity)
    }
    return viewed
  }

  static func viewed(by users: [UserID]) -> SQLQuery {
    """
    SELECT u.user_id, p.entity_type, p.entity_id
    FROM unnest(\(users)) AS u(user_id)
      CROSS JOIN LATERAL (SELECT entity_type, entity_id, node FROM presence WHERE user_id = u.user_id OFFSET 0) p
      JOIN nodes n ON n.node = p.node AND n.seen_at > now() - make_interval(secs => \(freshness / .seconds(1)))
    """
  }

  static func stop(_ connections: [(user: UserID, connection: String)]) -> SQLQuery {
    """
    DELETE FROM presence p
    USING unnest(\(connections.map(\.user)), \(connections.map(\.connection))) AS c(user_id, connection_id)
    WHERE p.user_id = c.user_id AND p.connection_id = c.connection_id
    """
  }
}
