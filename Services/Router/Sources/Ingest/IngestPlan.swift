import NotificationQueue
import NotificationStore

/// The messages of a batch by what is done about them. Pure.
struct IngestPlan {
  private(set) var sends: [BatchEntry<AudienceJob>] = []
  private(set) var orders: [BatchEntry<RoutingJob>] = []
  private(set) var scheduled: [BatchEntry<ScheduleStore.WaitingSend>] = []
  private(set) var events: [BatchEntry<IdentifiedEvent>] = []
  private(set) var relays: [BatchEntry<RelayedEvent>] = []
  private(set) var unstamped: [BatchEntry<IngestKind>] = []
  /// With their reasons, as the next ones.
  private(set) var postponed: [BatchEntry<String>] = []
  private(set) var refused: [BatchEntry<String>] = []
  private(set) var deadLetters: [BatchEntry<String>] = []
  private(set) var finished: [Int] = []

  mutating func add(_ outcome: IngestOutcome, at index: Int) {
    switch outcome {
    case .route(let job): sends.append(BatchEntry(index: index, value: job))
    case .routeOrder(let job): orders.append(BatchEntry(index: index, value: job))
    case .schedule(let send): scheduled.append(BatchEntry(index: index, value: send))
    case .evaluate(let event): events.append(BatchEntry(index: index, value: event))
    case .relay(let event): relays.append(BatchEntry(index: index, value: event))
    case .stamp(let kind): unstamped.append(BatchEntry(index: index, value: kind))
    case .postpone(let reason): postponed.append(BatchEntry(index: index, value: reason))
    case .refuse(let reason): refused.append(BatchEntry(index: index, value: reason))
    case .deadLetter(let reason): deadLetters.append(BatchEntry(index: index, value: reason))
    case .finished: finished.append(index)
    }
  }
}
