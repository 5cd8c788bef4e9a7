import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore

/// What one pass over a dispatch message came to: outcomes to record, deliveries to try again, deliveries to park.
///
/// Pure: ``DispatchWorker`` feeds results in and then acts.
struct Attempt {
  /// A group of deliveries that wait on the same tier, with the same count of failures.
  struct RetryKey: Hashable {
    var tier: String
    var attempt: Int
  }

  /// Final outcomes that may be recorded as soon as they are known.
  private(set) var records: [DeliveryStore.Record] = []
  /// Outcomes that are recorded when the pass is over: of targets to forget, once the channel has forgotten them, and of
  /// deliveries that are parked.
  private(set) var lateRecords: [DeliveryStore.Record] = []
  private(set) var retries: [RetryKey: [DispatchMessage.Delivery]] = [:]
  private(set) var exhausted: [DispatchMessage.Delivery] = []
  private(set) var forgotten: [(user: UserID, target: DispatchMessage.Target, reason: String)] = []
  /// Reason of the last failure, for the dead letter.
  private(set) var lastReason = ""
  /// True if some target was left untried because the service stops, or the broker gave the message to another consumer.
  private(set) var isAbandoned = false

  let channel: Channel
  let queue: WorkQueue
  let ladder: RetryLadder
  let maximumAttempts: Int
  /// Failures before this pass.
  let attempt: Int
  /// Codes of the types of the message's contents, by which outcomes are counted.
  private let types: [Int]
  /// When they are dated.
  private let dates: [Date]

  init(_ channel: some DeliveryChannel, ladder: RetryLadder, attempt: Int, types: [Int], dates: [Date] = []) {
    self.channel = channel.channel
    queue = channel.queue
    maximumAttempts = channel.maximumAttempts
    self.ladder = ladder
    self.attempt = attempt
    self.types = types
    self.dates = dates
  }

  mutating func add(_ result: DeliveryResult, _ delivery: DispatchMessage.Delivery, _ target: DispatchMessage.Target) {
    switch result {
    case .delivered(let providerID, let note):
      records.append(record(.delivered, delivery, target, reason: note, providerID: providerID))
    case .rejected(let reason, forgetsTarget: false):
      records.append(record(.rejected, delivery, target, reason: reason))
    case .rejected(let reason, forgetsTarget: true):
      forget(delivery, target, reason)
    case .retry(let reason, let first, let after, let thenForgetsTarget):
      if attempt + 1 < maximumAttempts {
        lastReason = reason
        wait(ladder.tier(afterAttempt: attempt + 1, first: first, retryAfter: after), attempt + 1, delivery, target)
      } else if thenForgetsTarget {
        forget(delivery, target, reason)
      } else {
        park(delivery, target, reason)
      }
    case .postponed(let reason, let after):
      lastReason = reason
      wait(ladder.tier(atLeast: after), attempt, delivery, target)
    case .parked(let reason):
      park(delivery, target, reason)
    case .abandoned:
      isAbandoned = true
    }
  }

  /// Records that a delivery came too late.
  mutating func expire(_ delivery: DispatchMessage.Delivery, _ target: DispatchMessage.Target) {
    records.append(record(.expired, delivery, target, reason: "expired before it could be delivered"))
  }

  /// Marks that some target was left untried, so that the message must not be acknowledged and the broker delivers it again.
  mutating func abandon() {
    isAbandoned = true
  }

  private mutating func forget(
    _ delivery: DispatchMessage.Delivery,
    _ target: DispatchMessage.Target,
    _ reason: String
  ) {
    lateRecords.append(record(.rejected, delivery, target, reason: reason))
    forgotten.append((delivery.userId, target, reason))
  }

  private mutating func park(
    _ delivery: DispatchMessage.Delivery,
    _ target: DispatchMessage.Target,
    _ reason: String
  ) {
    lastReason = reason
    lateRecords.append(record(.exhausted, delivery, target, reason: reason))
    Self.append(target, of: delivery, to: &exhausted)
  }

  private func record(
    _ outcome: DeliveryOutcome,
    _ delivery: DispatchMessage.Delivery,
    _ target: DispatchMessage.Target,
    reason: String?,
    providerID: String? = nil
  ) -> DeliveryStore.Record {
    DeliveryStore.Record(
      userID: delivery.userId,
      notificationID: delivery.notificationId,
      channel: channel,
      target: target.id,
      outcome: outcome,
      reason: reason,
      providerID: providerID,
      attempts: outcome == .expired ? attempt : attempt + 1,
      type: types.indices.contains(delivery.content) ? types[delivery.content] : nil,
      createdAt: dates.indices.contains(delivery.content) ? dates[delivery.content] : nil
    )
  }

  private mutating func wait(
    _ tier: RetryLadder.Tier,
    _ attempt: Int,
    _ delivery: DispatchMessage.Delivery,
    _ target: DispatchMessage.Target
  ) {
    let key = RetryKey(tier: tier.queue(of: queue), attempt: attempt)
    Self.append(target, of: delivery, to: &retries[key, default: []])
  }

  /// Adds the target to the delivery's entry, if it is the last one, or makes an entry.
  private static func append(
    _ target: DispatchMessage.Target,
    of delivery: DispatchMessage.Delivery,
    to list: inout [DispatchMessage.Delivery]
  ) {
    if let last = list.indices.last, list[last].notificationId == delivery.notificationId {
      list[last].targets.append(target)
    } else {
      var single = delivery
      single.targets = [target]
      list.append(single)
    }
  }
}
