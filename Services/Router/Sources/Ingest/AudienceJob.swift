import NotificationModel
import NotificationQueue

/// What is routed once it is known who its audience is.
///
/// A class, because it goes from hand to hand: there it is one count instead of thirty.
final class AudienceJob: Sendable {
  let type: NotificationType
  let audience: Audience
  /// Only those who live in them, if said.
  let zones: [String]?
  /// Without its recipients.
  let part: RoutedPart

  init(type: NotificationType, part: RoutedPart, audience: Audience, zones: [String]? = nil) {
    (self.type, self.part, self.audience, self.zones) = (type, part, audience, zones)
  }

  func job(for recipients: [UserID]) -> RoutingJob {
    var part = part
    part.recipients = recipients
    return RoutingJob(type: type, part: part)
  }
}
