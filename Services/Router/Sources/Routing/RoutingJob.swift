import NotificationModel
import NotificationQueue

/// A part with its type: a whole request, or some of its recipients.
struct RoutingJob {
  var type: NotificationType
  var part: RoutedPart
}
