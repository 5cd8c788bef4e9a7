import NotificationModel
import Postgres

extension RuleStore {
  private static let deletedAtOnce = 10_000

  /// Deletes states that say nothing any more, and what scans noted; answers how many states.
  static func dispose(_ session: PostgresSession) async throws -> Int {
    _ = try await session.query(
      "DELETE FROM rule_scans WHERE day < extract(epoch FROM now() - interval '7 days') / 86400"
    )
    var total = 0
    while true {
      let count = try await session.query(disposal).affectedRows
      total += count
      if count < deletedAtOnce { return total }
    }
  }

  /// What a router has in flight stays until the next time.
  static let disposal: SQLQuery = """
    DELETE FROM rule_states s
    USING (
      SELECT user_id, rule, key FROM rule_states WHERE disposable_from < now() ORDER BY disposable_from
      LIMIT \(unescaped: "\(deletedAtOnce)") FOR UPDATE SKIP LOCKED
    ) d
    WHERE s.user_id = d.user_id AND s.rule = d.rule AND s.key = d.key
    """
}
