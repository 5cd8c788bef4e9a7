import NotificationModel
import NotificationQueue

/// What is routed once it is known who its audience is.
struct AudienceJob {
  let type: NotificationType
  /// Without its recipients.
  let part: RoutedPart
  let audience: Audience
  /// Only those who live in them, if said.
  var zones: [String]?

  func job(for recipients: [UserID]) -> RoutingJob {
    var part = part
    part.recipients = recipients
    return RoutingJob(type: type, part: part)
  }
}
