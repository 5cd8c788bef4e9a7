import NotificationModel
import Postgres
import Testing

extension PostgresClient {
  /// The one value of a one-row, one-column result.
  func value<T: PostgresDecodable>(_ query: SQLQuery, as type: T.Type = T.self) async throws -> T {
    try #require(try await self.query(query).first).get(0)
  }

  /// The first column of all rows.
  func column<T: PostgresDecodable>(_ query: SQLQuery, as type: T.Type = T.self) async throws -> [T] {
    try await self.query(query).map { try $0.get(0) }
  }

  /// Users whose counters do not agree with their rows, or whose `seq` has gaps or repetitions; what left the inbox keeps its
  /// `seq`.
  func miscounted() async throws -> [UserID] {
    let (inbox, all) = (InboxState.inbox.rawValue, InboxState.allCases.map(\.rawValue))
    return try await column(
      """
      SELECT b.user_id FROM inbox b LEFT JOIN notifications n ON n.user_id = b.user_id AND n.in_app = ANY (\(all))
      GROUP BY b.user_id, b.unread, b.seen_unread, b.total, b.seq, b.change
      HAVING b.total <> count(n.id) FILTER (WHERE n.in_app = \(inbox))
        OR b.unread <> count(n.id) FILTER (WHERE n.in_app = \(inbox) AND n.read_at IS NULL)
        OR b.seen_unread <> count(n.id) FILTER (WHERE n.in_app = \(inbox) AND n.read_at IS NULL AND n.seen_at IS NOT NULL)
        OR b.seq - count(n.id) <> coalesce(min(n.seq), 1) - 1 OR count(DISTINCT n.seq) <> count(n.id)
        OR coalesce(min(n.seq), 1) <> 1 AND NOT EXISTS (SELECT FROM erased_users e WHERE e.user_id = b.user_id)
        OR coalesce(max(n.seq), 0) <> b.seq
        OR b.change < coalesce((SELECT max(change) FROM inbox_changes c WHERE c.user_id = b.user_id), 0)
      """
    )
  }
}
