import NotificationModel
import NotificationQueue

/// One content for some recipients: a whole request, or a part of a group's.
struct RoutingJob {
  var requestID: RequestID
  var type: NotificationType
  var content: NotificationContent
  var channels: Set<Channel>?
  var users: [UserID]
}
