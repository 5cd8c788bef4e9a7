import NotificationModel
import Postgres

extension ExportPart {
  /// `engagement`: what was opened, and which buttons were used.
  static let engagement = ExportPart("engagement", of: "engagement") { user, after, limit in
    """
    SELECT notification_id, action, at FROM engagement
    WHERE user_id = \(user)
      AND (notification_id, action) > (\(try after?.get("notification_id") ?? NotificationID(.beforeAll)),
        \(try after?.get("action", as: String.self) ?? ""))
    ORDER BY notification_id, action LIMIT \(limit)
    """
  } write: { fields in
    try fields.identifier("notificationId", "notification_id")
    try fields.text("action", "action")
    try fields.time("at", "at")
  }
}
