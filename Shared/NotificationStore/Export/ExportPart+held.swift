import BelfryJSON
import NotificationModel
import Postgres

extension ExportPart {
  /// `held`: what waits.
  static let held = ExportPart(
    "held",
    of: "held",
    leftOut: [
      "claimed_until"  // which router is at it
    ]
  ) { user, after, limit in
    """
    SELECT notification_id, channel, due_at, reason, type, digest_key, throttle_key, collapse_key, composed_in FROM held
    WHERE user_id = \(user)
      AND (notification_id, channel) > (\(try after?.get("notification_id") ?? NotificationID(.beforeAll)),
        \(try after?.get("channel", as: Int.self) ?? 0))
    ORDER BY notification_id, channel LIMIT \(limit)
    """
  } write: { fields in
    try fields.identifier("notificationId", "notification_id")
    try fields.channel("channel")
    try fields.time("until", "due_at")
    fields.add("reason", .string(HoldReason(rawValue: try fields.row.get("reason")).name))
    try fields.type("type", "type")
    try fields.text("digestKey", "digest_key")
    try fields.text("throttleKey", "throttle_key")
    try fields.text("collapseKey", "collapse_key")
    try fields.identifier("composedIn", "composed_in")
  }
}
