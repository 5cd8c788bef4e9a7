import BelfryJSON
import NotificationModel
import Postgres

extension ExportPart {
  /// `deliveries`: what became of pushes and mails. The first comparison leaves out weeks that are over; the second cannot.
  static let deliveries = ExportPart(
    "deliveries",
    of: "deliveries",
    leftOut: [
      "former",  // the outcome before this one, for statistics
      "type",  // the notification's, for statistics
    ]
  ) { user, after, limit in
    let id = try after?.get("notification_id") ?? NotificationID(.beforeAll)
    return """
      SELECT notification_id, channel, target, outcome, reason, provider_id, attempts, finished_at FROM deliveries
      WHERE user_id = \(user) AND notification_id >= \(id)
        AND (notification_id, channel, target) > (\(id), \(try after?.get("channel", as: Int.self) ?? 0),
          \(try after?.get("target", as: String.self) ?? ""))
      ORDER BY notification_id, channel, target LIMIT \(limit)
      """
  } write: { fields in
    try fields.identifier("notificationId", "notification_id")
    try fields.channel("channel")
    try fields.text("target", "target")
    let outcome: Int16 = try fields.row.get("outcome")
    fields.add("outcome", .string(DeliveryOutcome(rawValue: outcome)?.name ?? String(outcome)))
    try fields.text("reason", "reason")
    try fields.text("providerId", "provider_id")
    try fields.integer("attempts", "attempts")
    try fields.time("at", "finished_at")
  }
}
