import NotificationQueue
import NotificationStore

/// What is done about a message.
enum IngestOutcome {
  /// It is routed, once it is known who its audience is.
  case route(AudienceJob)
  /// A part of a large audience is routed, unless its request was withdrawn meanwhile.
  case routeOrder(RoutingJob)
  /// It is stored until it comes due.
  case schedule(ScheduleStore.WaitingSend)
  /// Rules look at it; what is left to do about it then is another outcome.
  case evaluate(IdentifiedEvent)
  /// It is passed on to open connections, and no more.
  case relay(RelayedEvent)
  /// It came without an id: it is put back with one.
  case stamp(IngestKind)
  /// Another router may know what to do with it: it comes back after a pause.
  case postpone(reason: String)
  /// Its sender has made a mistake, by this catalogue: it is dead-lettered, unless another version is the one for it.
  case refuse(reason: String)
  /// It cannot be processed, by whatever catalogue.
  case deadLetter(reason: String)
  /// Nothing is left to do.
  case finished

  /// Whether the database must answer before it is done.
  var needsStore: Bool {
    switch self {
    case .route, .routeOrder, .schedule, .evaluate: true
    case .relay, .stamp, .postpone, .refuse, .deadLetter, .finished: false
    }
  }
}
