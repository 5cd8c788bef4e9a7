import NotificationModel
import NotificationQueue
import NotificationStore

/// Which targets of a message are finished, and since when that is known.
struct FinishedLookup {
  private var known: Set<DeliveryStore.Key> = []
  /// Nil if it is still to be looked up.
  private var lookedUp: ContinuousClock.Instant?
  private let lifetime: Duration

  /// Of a message that no dispatcher had before nothing is finished, until the broker may have given it to another.
  ///
  /// - Parameter lifetime: How old the knowledge may be.
  init(of work: InFlightMessage, lifetime: Duration) {
    lookedUp = work.mayHaveBeenTried ? nil : work.receivedAt
    self.lifetime = lifetime
  }

  var isStale: Bool { lookedUp.map { ContinuousClock.now - $0 >= lifetime } ?? true }

  mutating func learn(_ known: Set<DeliveryStore.Key>) {
    self.known = known
    lookedUp = .now
  }

  func contains(_ targeted: TargetedDelivery) -> Bool {
    known.contains(.init(notificationID: targeted.delivery.notificationId, target: targeted.target.id))
  }
}
