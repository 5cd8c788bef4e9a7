import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore

/// What one pass over a dispatch message came to: outcomes to record, deliveries to try again, deliveries to dead-letter.
///
/// Pure: ``DispatchWorker`` feeds results in and then acts.
struct Attempt {
  /// A group of deliveries that wait on the same tier, with the same count of failures.
  struct RetryKey: Hashable {
    var tier: String
    var failures: Int
    /// As ``DispatchMessage/notBefore``.
    var notBefore: Date?
  }

  /// Final outcomes that may be recorded as soon as they are known.
  private(set) var records: [DeliveryStore.Record] = []
  /// Outcomes that are recorded when the pass is over: of targets to forget, once the channel has forgotten them, and of
  /// deliveries that are dead-lettered.
  private(set) var lateRecords: [DeliveryStore.Record] = []
  private(set) var retries: [RetryKey: [DispatchMessage.Delivery]] = [:]
  private(set) var exhausted: [DispatchMessage.Delivery] = []
  private(set) var forgotten: [ForgottenTarget] = []
  /// Reason of the last failure, for the dead letter.
  private(set) var lastReason = ""
  /// True if some target was left untried because the service stops, or the broker gave the message to another consumer.
  private(set) var isAbandoned = false

  let channel: Channel
  let queue: WorkQueue
  let ladder: RetryLadder
  let maximumAttempts: Int
  /// Before this pass.
  let failures: Int
  /// Spreads the waits of failed targets, message by message; nil: each tier as it is.
  let jitter: FullJitter?

  init(_ channel: some DeliveryChannel, ladder: RetryLadder, failures: Int, jitter: FullJitter? = nil) {
    self.channel = channel.channel
    queue = channel.queue
    maximumAttempts = channel.maximumAttempts
    self.ladder = ladder
    self.failures = failures
    self.jitter = jitter?.once()
  }

  /// - Parameter now: When the result came: what the provider asks to wait counts from then.
  mutating func add(_ result: DeliveryResult, _ targeted: TargetedDelivery, now: Date = .now) {
    switch result {
    case .delivered(let providerID, let note):
      records.append(record(.delivered, targeted, reason: note, providerID: providerID))
    case .rejected(let reason, forgetsTarget: false, _, _):
      records.append(record(.rejected, targeted, reason: reason))
    case .rejected(let reason, forgetsTarget: true, let since, _):
      forget(targeted, reason, goneSince: since)
    case .retry(let reason, let first, let after, let thenForgetsTarget, _):
      if failures + 1 < maximumAttempts {
        lastReason = reason
        let rung = ladder.tier(afterAttempt: failures + 1, first: first)
        let (place, end) = spread(rung, first: first, after: after ?? .zero, from: now)
        wait(place, failures + 1, until: end, targeted)
      } else if thenForgetsTarget {
        forget(targeted, reason)
      } else {
        deadLetter(targeted, reason)
      }
    case .postponed(let reason, let after), .throttled(let reason, let after, _):
      lastReason = reason
      let (place, end) = ladder.place(of: after, from: now)
      wait(place, failures, until: end, targeted)
    case .deadLettered(let reason):
      deadLetter(targeted, reason)
    case .abandoned:
      isAbandoned = true
    case .uncertain(let reason):
      // Of a second attempt it is finished (``OutcomeStore/finished(_:channel:)``), so that it is repeated once. It counts as an
      // attempt: by that a second one is told from the same that is recorded again.
      lastReason = reason
      records.append(record(.uncertain, targeted, reason: reason))
      wait(ladder.tier(atLeast: Self.uncertainWait), failures + 1, until: nil, targeted)
    case .ofProvider(let result):
      add(result, targeted, now: now)
    }
  }

  /// Until another process takes it, and the mail may have arrived.
  private static let uncertainWait: Duration = .seconds(10)

  /// Records that a delivery came too late.
  mutating func expire(_ targeted: TargetedDelivery) {
    records.append(record(.expired, targeted, reason: "expired before it could be delivered", isTried: false))
  }

  /// Records why a delivery is not tried any more, in the words of the router's own decisions.
  mutating func leaveOut(_ targeted: TargetedDelivery, _ reason: SkipReason) {
    records.append(record(.rejected, targeted, reason: reason.name, isTried: false))
  }

  /// Lets a delivery that came back from a tier too early wait on, and counts nothing.
  mutating func wait(until notBefore: Date, _ targeted: TargetedDelivery, now: Date) {
    let rest = ladder.step(of: .seconds(notBefore.timeIntervalSince(now)))
    // Its end is kept even where the rest is a tier's: tiers may have been changed meanwhile.
    wait(rest, failures, until: notBefore, targeted)
  }

  /// Marks that some target was left untried, so that the message must not be acknowledged and the broker delivers it again.
  mutating func abandon() {
    isAbandoned = true
  }

  private mutating func forget(_ targeted: TargetedDelivery, _ reason: String, goneSince: Date? = nil) {
    lateRecords.append(record(.rejected, targeted, reason: reason))
    forgotten.append(
      ForgottenTarget(
        user: targeted.delivery.userId,
        target: targeted.target,
        reason: reason,
        goneSince: goneSince,
        notification: targeted.delivery.notificationId
      )
    )
  }

  private mutating func deadLetter(_ targeted: TargetedDelivery, _ reason: String) {
    lastReason = reason
    lateRecords.append(record(.exhausted, targeted, reason: reason))
    Self.append(targeted, to: &exhausted)
  }

  /// Where a failed target lies next, and until when it waits if that is no tier's end: any time from what is asked for at least to
  /// the rung's own; where the provider asks for more than that, up to a quarter longer.
  private func spread(
    _ rung: RetryLadder.Tier,
    first: Duration,
    after: Duration,
    from now: Date
  ) -> (tier: RetryLadder.Tier, notBefore: Date?) {
    let after = min(after, RetryLadder.longestWait)
    if after > rung.delay {
      return ladder.place(of: jitter?.wait(upTo: after * 5 / 4, least: after) ?? after, from: now)
    }
    let least = max(first, after)
    guard let jitter, least < rung.delay else { return (rung, nil) }
    return ladder.place(of: jitter.wait(upTo: rung.delay, least: least), from: now)
  }

  private func record(
    _ outcome: DeliveryOutcome,
    _ targeted: TargetedDelivery,
    reason: String?,
    providerID: String? = nil,
    isTried: Bool = true
  ) -> DeliveryStore.Record {
    DeliveryStore.Record(
      userID: targeted.delivery.userId,
      notificationID: targeted.delivery.notificationId,
      channel: channel,
      target: targeted.target.id,
      outcome: outcome,
      reason: reason,
      providerID: providerID,
      attempts: isTried ? failures + 1 : failures,
      type: targeted.content.type,
      createdAt: targeted.content.createdAt,
      audience: targeted.target.audience
    )
  }

  private mutating func wait(
    _ tier: RetryLadder.Tier,
    _ failures: Int,
    until notBefore: Date?,
    _ targeted: TargetedDelivery
  ) {
    let key = RetryKey(tier: tier.queue(of: queue), failures: failures, notBefore: notBefore)
    Self.append(targeted, to: &retries[key, default: []])
  }

  /// Adds the target to the delivery's entry, if it is the last one, or makes an entry.
  private static func append(_ targeted: TargetedDelivery, to list: inout [DispatchMessage.Delivery]) {
    if let last = list.indices.last, list[last].notificationId == targeted.delivery.notificationId {
      list[last].targets.append(targeted.target)
    } else {
      var single = targeted.delivery
      single.targets = [targeted.target]
      list.append(single)
    }
  }
}
