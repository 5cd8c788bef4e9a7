import BelfryJSON
import NotificationModel
import Postgres

extension ExportPart {
  /// `topic_subscriptions`; without a device it is one of all the user's devices.
  static let topics = ExportPart("topicSubscriptions", of: "topic_subscriptions") { user, after, limit in
    """
    SELECT topic, device_id, created_at FROM topic_subscriptions
    WHERE user_id = \(user)
      AND (topic, device_id) > (\(try after?.get("topic", as: String.self) ?? ""),
        \(try after?.get("device_id") ?? DeviceID(.beforeAll)))
    ORDER BY topic, device_id LIMIT \(limit)
    """
  } write: { fields in
    try fields.text("topic", "topic")
    let device: DeviceID = try fields.row.get("device_id")
    fields.add("deviceId", device == TopicSubscriptionStore.all ? .null : .string(device.description))
    try fields.time("createdAt", "created_at")
  }
}
