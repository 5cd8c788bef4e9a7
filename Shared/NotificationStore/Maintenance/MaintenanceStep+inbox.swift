import Foundation
import NotificationModel
import Postgres

/// What is kept beside notifications goes with them.
extension MaintenanceStep {
  /// Snoozes and engagement of notifications that are gone with their week.
  static let oldCompanions = Self { session, ages, _ in
    let age = ages.retention / .seconds(1)
    for table in ["snoozes", "engagement"] {
      _ = try await session.query(
        """
        DELETE FROM \(unescaped: table)
        WHERE notification_id < belfry_uuid_at(now() - make_interval(secs => \(age)))
        """
      )
    }
  }

  /// Changes from before what is kept. Whoever was away for so long is told to load the list.
  ///
  /// Some users at a time, in their order, because their inboxes are locked meanwhile.
  static let oldChanges = Self { session, ages, _ in
    let age = ages.retention / .seconds(1)
    var last = UserID(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
    while true {
      let users: [UserID] = try await session.query(
        """
        SELECT user_id FROM inbox
        WHERE user_id > \(last) AND change > lost_change
        ORDER BY user_id LIMIT 1000
        """
      ).map { try $0.get(0) }
      guard let end = users.last else { return }
      last = end
      _ = try await session.transaction([
        PlannerHints.alongIndexes.statement, NotificationStore.lock(inboxesOf: users)[1],
        forgetChanges(of: users, after: age),
      ])
    }
  }

  /// - Parameter age: In seconds.
  private static func forgetChanges(of users: [UserID], after age: Double) -> SQLQuery {
    """
    WITH gone AS (
      DELETE FROM inbox_changes
      WHERE user_id = ANY (\(users)) AND at < now() - make_interval(secs => \(age))
      RETURNING user_id, change, after_seq
    )
    UPDATE inbox b SET lost_change = greatest(b.lost_change, g.change), lost_seq = greatest(b.lost_seq, g.after_seq)
    FROM (SELECT user_id, max(change) AS change, max(after_seq) AS after_seq FROM gone GROUP BY user_id) g
    WHERE b.user_id = g.user_id
    """
  }
}
