import NotificationModel
import Postgres

extension ExportPart {
  /// `throttle_uses`: what counts against the limits of types.
  static let throttleUses = ExportPart("throttleUses", of: "throttle_uses") { user, after, limit in
    """
    SELECT notification_id, type, key, used_at FROM throttle_uses
    WHERE user_id = \(user) AND notification_id > \(try after?.get("notification_id") ?? NotificationID(.beforeAll))
    ORDER BY notification_id LIMIT \(limit)
    """
  } write: { fields in
    try fields.identifier("notificationId", "notification_id")
    try fields.type("type", "type")
    try fields.text("key", "key")
    try fields.time("at", "used_at")
  }
}
