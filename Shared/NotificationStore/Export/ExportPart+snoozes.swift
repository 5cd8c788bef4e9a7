import NotificationModel
import Postgres

extension ExportPart {
  /// `snoozes`: what is to come back.
  static let snoozes = ExportPart("snoozes", of: "snoozes") { user, after, limit in
    """
    SELECT notification_id, until FROM snoozes
    WHERE user_id = \(user) AND notification_id > \(try after?.get("notification_id") ?? NotificationID(.beforeAll))
    ORDER BY notification_id LIMIT \(limit)
    """
  } write: { fields in
    try fields.identifier("notificationId", "notification_id")
    try fields.time("until", "until")
  }
}
