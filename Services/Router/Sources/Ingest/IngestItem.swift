import Broker
import NotificationModel
import NotificationQueue

/// What an ingest message asks for.
enum IngestItem {
  /// A send request that has its id.
  case request(RequestID, SendRequest, NotificationType)
  /// A send request whose id depends on its sender's message-id, which is looked up.
  case keyed(scope: String, key: String, SendRequest, NotificationType)
  /// A send request without any id: it is stamped with one and put back.
  case anonymous
  /// An event to be passed on and no more; it needs no id, since nothing of it is stored.
  case event(RelayedEvent)
  /// An event that rules look at.
  case reported(ReportedEvent)
  /// What a rule wants told.
  case notice(NoticeRequest, NotificationType)
  /// A part of a large group's send, or what was held or scheduled and is due.
  case part(RoutedPart)
  /// It cannot be processed, now or later.
  case invalid(reason: String)
}
