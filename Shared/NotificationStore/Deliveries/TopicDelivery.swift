public import NotificationModel
import Postgres

/// A push to a topic of FCM or to a condition, and what became of it.
public struct TopicDelivery: Sendable, Equatable {
  public var request: RequestID
  /// Name of a ``PushAudience``, or of one of another version.
  public var audience: String
  /// The topic, or the condition.
  public var target: String
  /// Code of the notification's type.
  public var type: Int
  /// Nil while nothing is known of it: it is on its way.
  public var delivery: NotificationHistory.Delivery?

  static let columns = "request_id, audience, target, type, outcome, reason, provider_id, attempts, finished_at"

  init(_ row: PostgresRow) throws(PostgresError) {
    request = try row.get("request_id")
    audience = try row.get("audience")
    target = try row.get("target")
    type = try row.get("type")
    guard let outcome = try row.get("outcome", as: Int16?.self) else { return }
    delivery = NotificationHistory.Delivery(
      channel: .push,
      target: target,
      outcome: outcome,
      reason: try row.get("reason"),
      providerID: try row.get("provider_id"),
      attempts: try row.get("attempts"),
      finishedAt: try row.get("finished_at")
    )
  }
}
