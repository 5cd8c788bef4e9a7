import Foundation
public import NotificationModel
public import Postgres

/// What became of notifications after they were delivered.
extension InboxStore {
  /// For who knows the inbox up to some point: everything that was sent before and is otherwise by now.
  public struct Changes: Sendable {
    /// As they are now, archived and snoozed ones among them; each once, in the order of their last change.
    public var changed: [InboxItem]
    /// In no list any more.
    public var deleted: [NotificationID]
    /// To be given the next time; it counts a user's changes, and is 0 before the first.
    public var change: Int
    /// Whether that is all. If not, more became of them than is remembered: the list is to be loaded again.
    public var isComplete: Bool
  }

  /// What became of notifications, at most ``maximumChanges``: those that came into the inbox up to `seq` are sent as they are
  /// now; newer ones that are in it are left out, because ``newcomers(of:after:limit:)`` has them as they are.
  ///
  /// To be asked before that: what changes in between is then sent twice, and not lost.
  ///
  /// - Parameters:
  ///   - seq: The last notification that the caller knows; 0 knows none.
  ///   - change: The last change that the caller knows; nil asks for those since that notification was the last.
  public func changes(
    of user: UserID,
    after seq: Int,
    change: Int?
  ) async throws(PostgresError) -> Changes {
    let rows = try await client.query(
      Self.changes(of: user, after: seq, change: change),
      planned: .alongIndexes
    )
    // Without an inbox nothing has happened, unless the caller knows better.
    guard let first = rows.first else {
      return Changes(changed: [], deleted: [], change: 0, isComplete: change ?? 0 == 0)
    }
    var changes = Changes(
      changed: [],
      deleted: [],
      change: try first.get("last_change"),
      isComplete: try first.get("is_complete")
    )
    for row in rows {
      guard let id: NotificationID = try row.get("notification_id") else { continue }
      if try row.get("id", as: NotificationID?.self) == nil {
        changes.deleted.append(id)
      } else {
        let item = try InboxItem(row)
        let isInbox = item.archivedAt == nil && item.snoozedUntil == nil
        if !isInbox || item.seq <= seq { changes.changed.append(item) }
      }
    }
    return changes
  }

  /// A user has few changes, all of which may be read; each notification is a probe of the primary key. `after_seq` does not
  /// fall while `change` grows: so whoever names neither misses nothing, and who names both is sent what either lacks.
  static func changes(of user: UserID, after seq: Int, change: Int?) -> SQLQuery {
    """
    WITH box AS (
      SELECT change AS last_change, \(seq)::int8 = 0 OR \(seq)::int8 > lost_seq
        OR coalesce(\(change)::int8 BETWEEN lost_change AND change, false) AS is_complete
      FROM inbox WHERE user_id = \(user)
    ), revised AS (
      SELECT notification_id, max(change) AS change FROM inbox_changes
      WHERE user_id = \(user) AND (change > \(change)::int8 OR (\(change)::int8 IS NULL AND after_seq >= \(seq)))
      GROUP BY notification_id
    )
    SELECT box.last_change, box.is_complete, r.notification_id, n.*
    FROM box LEFT JOIN revised r ON true
      LEFT JOIN LATERAL (
        SELECT \(unescaped: InboxItem.columns) FROM notifications
        WHERE user_id = \(user) AND id = r.notification_id AND in_app IN \(literals: InboxState.kept) OFFSET 0
      ) n ON true
    ORDER BY r.change
    """
  }
}
