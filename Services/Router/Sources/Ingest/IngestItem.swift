import NotificationModel
import NotificationQueue

/// What an ingest message asks for.
enum IngestItem {
  /// A send request, or an event that rules look at.
  case submission(Submission, SubmissionIdentity)
  /// An event to be passed on and no more; it needs no id, since nothing of it is stored.
  case relay(RelayedEvent)
  /// What a rule wants sent.
  case notice(NoticeRequest, NotificationType)
  /// A send, or an occurrence of a schedule, that has come due.
  case scheduled(ScheduledSend, SendRequest, NotificationType)
  /// A part of a large group's send.
  case order(RoutingOrder, NotificationType)
  /// It was accepted by another catalogue than this router's: a rolling restart may be under way.
  case unknown(reason: String)
  /// Its sender has made a mistake, by this catalogue.
  case refused(reason: String)
  /// It cannot be processed, by whatever catalogue.
  case invalid(reason: String)
}
