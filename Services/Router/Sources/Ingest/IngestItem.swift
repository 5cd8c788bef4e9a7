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
  /// A send, or an occurrence of a schedule, that has come due.
  case scheduled(ScheduledSend, SendRequest, NotificationType)
  /// A part of a large group's send.
  case part(RoutedPart, NotificationType)
  /// It was accepted by another catalogue than this router's: a rolling restart may be under way.
  case unknown(reason: String)
  /// It cannot be processed, now or later.
  case invalid(reason: String)
}
