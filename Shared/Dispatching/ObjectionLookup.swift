import Broker
import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore

/// What speaks by now against targets of a message, though they were routed, and since when that is known.
struct ObjectionLookup {
  private var known: [DeliveryStore.Key: SkipReason] = [:]
  /// From then on it is to be looked up; nil: never.
  private(set) var staleFrom: ContinuousClock.Instant?
  private let lifetime: Duration

  /// Against what was just routed nothing speaks. What came back, from the ladder or from another dispatcher, is asked about at once.
  ///
  /// - Parameters:
  ///   - standing: How long a decision of the router stands; nil: for good.
  ///   - lifetime: How old the knowledge may be.
  init(
    of work: InFlightMessage,
    standing: Duration?,
    lifetime: Duration,
    now: Date = .now,
    clock: ContinuousClock.Instant = .now
  ) {
    self.lifetime = lifetime
    guard let standing else { return }
    let message = work.received.message
    let routedAt = message.timestamp ?? work.message.contents.map(\.createdAt).min() ?? now
    let waited: Duration = work.mayHaveBeenTried ? standing : .seconds(max(0, now.timeIntervalSince(routedAt)))
    staleFrom = clock + max(.zero, standing - waited)
  }

  var isStale: Bool { staleFrom.map { ContinuousClock.now >= $0 } ?? false }

  mutating func learn(_ known: [DeliveryStore.Key: SkipReason]) {
    self.known = known
    staleFrom = .now + lifetime
  }

  func reason(against targeted: TargetedDelivery) -> SkipReason? {
    if known.isEmpty { return nil }
    return known[.init(notificationID: targeted.delivery.notificationId, target: targeted.target.id)]
  }
}

/// What is looked up of a message's targets before they are begun.
struct TargetLookups {
  var finished: FinishedLookup
  var objections: ObjectionLookup
}
