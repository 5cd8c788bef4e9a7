public import NotificationModel
public import Postgres

/// Groups of users: families, conversations, teams.
public struct GroupStore: Sendable {
  private let client: PostgresClient

  public init(client: PostgresClient) {
    self.client = client
  }

  /// Makes `members` the group's members, no more and no fewer; an empty list deletes the group.
  public func replace(_ group: String, members: [UserID]) async throws(PostgresError) {
    _ = try await client.transaction([
      "DELETE FROM group_members WHERE group_id = \(group) AND user_id <> ALL (\(members))",
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
    let rows = try await client.query(
      """
      SELECT user_id FROM group_members
      WHERE group_id = \(group) AND (\(after) IS NULL OR user_id > \(after))
      ORDER BY user_id LIMIT \(limit)
      """
    )
    var members: [UserID] = []
    for row in rows { members.append(try row.get(0)) }
    return members
  }
}
