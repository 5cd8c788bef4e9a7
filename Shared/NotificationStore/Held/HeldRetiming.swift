import Foundation
import NotificationModel
import Postgres

/// What waits because of a user's settings is due at once when these change: the router looks at it by the new ones, and
/// sends it, or holds it anew.
enum HeldRetiming {
  /// For the transaction that makes the change. Also of what is due already: somebody may look at it in this moment by the
  /// former settings, whatever it waited for, and what they write afterwards is on condition that `due_at` is still what
  /// they found.
  static func statement(of user: UserID, at now: Date) -> SQLQuery {
    """
    WITH mine AS MATERIALIZED (
      SELECT ctid AS place FROM held
      WHERE user_id = \(user) AND composed_in IS NULL AND (
        claimed_until IS NOT NULL OR reason IN (\(HoldReason.quietHours.rawValue), \(HoldReason.paused.rawValue)))
      ORDER BY user_id, notification_id, channel FOR UPDATE
    )
    UPDATE held h SET due_at = \(now) FROM mine m WHERE h.ctid = m.place
    """
  }
}
