import NotificationModel
import Postgres

extension ExportPart {
  /// `inbox_changes`: which notifications changed, as clients that come back get them.
  static let changes = ExportPart("changes", of: "inbox_changes") { user, after, limit in
    """
    SELECT change, after_seq, notification_id, at FROM inbox_changes
    WHERE user_id = \(user) AND change > \(try after?.get("change", as: Int.self) ?? -1)
    ORDER BY change LIMIT \(limit)
    """
  } write: { fields in
    try fields.integer("change", "change")
    try fields.integer("afterSeq", "after_seq")
    try fields.identifier("notificationId", "notification_id")
    try fields.time("at", "at")
  }
}
