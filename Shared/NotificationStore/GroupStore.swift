public import NotificationModel
public import Postgres

/// Groups of users: families, conversations, teams, and everyone.
public struct GroupStore: Sendable {
  private let client: PostgresClient

  public init(client: PostgresClient) {
    self.client = client
  }

  /// Makes `members` the group's members, no more and no fewer; an empty list deletes the group.
  public func replace(_ group: String, members: [UserID]) async throws(PostgresError) {
    _ = try await client.transaction([
      // One replacement of a group at a time, or both members' lists could end up in it.
      "SELECT pg_advisory_xact_lock(hashtextextended(\(group), 1))",
      """
      DELETE FROM group_members g WHERE group_id = \(group)
        AND NOT EXISTS (SELECT FROM unnest(\(members)) AS m(user_id) WHERE m.user_id = g.user_id)
      """,
      """
      INSERT INTO group_members (group_id, user_id) SELECT \(group), unnest(\(members)) ON CONFLICT DO NOTHING
      """,
    ])
  }

  /// Up to `limit` members in order of their ids, after `after`.
  public func members(
    of group: String,
    after: UserID? = nil,
    limit: Int
  ) async throws(PostgresError) -> [UserID] {
    let rows = try await client.query(Self.members(of: group, after: after, limit: limit))
    var members: [UserID] = []
    for row in rows { members.append(try row.get(0)) }
    return members
  }

  /// Up to `limit` of all who have a profile, in order of their ids, after `after`.
  public func everyone(after: UserID? = nil, limit: Int) async throws(PostgresError) -> [UserID] {
    var users: [UserID] = []
    let read = Self.everyone(after: after, limit: limit)
    for row in try await client.transaction([NotificationStore.withoutScans, read])[1] { users.append(try row.get(0)) }
    return users
  }

  static func everyone(after: UserID?, limit: Int) -> SQLQuery {
    guard let after else { return "SELECT user_id FROM users ORDER BY user_id LIMIT \(limit)" }
    return "SELECT user_id FROM users WHERE user_id > \(after) ORDER BY user_id LIMIT \(limit)"
  }

  /// Two statements: with `$2 IS NULL OR …` each page would read the group from its start.
  static func members(of group: String, after: UserID?, limit: Int) -> SQLQuery {
    guard let after else {
      return "SELECT user_id FROM group_members WHERE group_id = \(group) ORDER BY user_id LIMIT \(limit)"
    }
    return """
      SELECT user_id FROM group_members WHERE group_id = \(group) AND user_id > \(after)
      ORDER BY user_id LIMIT \(limit)
      """
  }
}
