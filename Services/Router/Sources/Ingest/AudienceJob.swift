import NotificationModel
import NotificationQueue

/// What is routed once it is known who its audience is.
///
/// A class, for the reason that ``RoutingJob`` is one.
final class AudienceJob: Sendable {
  let type: NotificationType
  let audience: Audience
  /// Only those who live in them, if said.
  let zones: [String]?
  /// Without its recipients.
  let order: RoutingOrder
  /// The version of the catalogue that has the type; nil is a file.
  let catalogueVersion: Int?

  init(
    type: NotificationType,
    order: RoutingOrder,
    audience: Audience,
    zones: [String]? = nil,
    catalogueVersion: Int? = nil
  ) {
    (self.type, self.order, self.audience, self.zones) = (type, order, audience, zones)
    self.catalogueVersion = catalogueVersion
  }

  /// What FCM delivers by its own list; nil for people.
  var topic: TopicAudience? {
    guard case .topic(let topic) = audience else { return nil }
    return topic
  }

  func job(for recipients: [UserID]) -> RoutingJob {
    var order = order
    order.recipients = recipients
    return RoutingJob(type: type, order: order)
  }
}
