import Broker
import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore
import Synchronization

/// A dispatch message that is being worked on and what has come of it so far, reported by the tasks of its targets.
final class InFlightMessage: Sendable {
  let message: DispatchMessage
  let received: BrokerDelivery
  let receivedAt: ContinuousClock.Instant

  private struct State {
    var attempt: Attempt
    /// How many of the attempt's records are known to be committed.
    var recorded = 0
    /// Why and how long its targets wait to spare the provider.
    var postponements: [Postponement.Reason: Postponement] = [:]
    var isReleased = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  init(_ message: DispatchMessage, _ received: BrokerDelivery, attempt: Attempt) {
    self.message = message
    self.received = received
    receivedAt = .now
    state = Mutex(State(attempt: attempt))
  }

  /// Whether some target may have been reached already, by a dispatcher that had the message before.
  var mayHaveBeenTried: Bool {
    message.recheck || message.attempt > 0 || received.redelivered || received.deliveryCount > 0
  }

  // MARK: What comes of it

  var attempt: Attempt { state.withLock(\.attempt) }

  func add(_ result: DeliveryResult, _ targeted: TargetedDelivery) {
    state.withLock { $0.attempt.add(result, targeted) }
  }

  /// Lets a target wait to spare the provider: as long as those that do for the same reason, or the message would come back in more and
  /// more pieces. What the provider itself asks for stays as it is. What waits for long comes back less often, or all that waits would
  /// go round once a minute for as long as a provider is away.
  func postpone(_ targeted: TargetedDelivery, _ postponement: Postponement, now: Date = .now) {
    state.withLock { state in
      var together = postponement
      if postponement.reason != .throttled {
        together = state.postponements[postponement.reason] ?? grown(postponement, state.attempt.jitter, now: now)
        state.postponements[postponement.reason] = together
      }
      state.attempt.add(together.result, targeted, now: now)
    }
  }

  /// Any part of a quarter of the time for which the message has been waiting or failing, if that is longer.
  private func grown(_ postponement: Postponement, _ jitter: FullJitter?, now: Date) -> Postponement {
    guard postponement.reason == .breaker || postponement.reason == .retryBudget, let jitter,
      let since = message.failingSince
    else { return postponement }
    let age = Duration.seconds(min(max(now.timeIntervalSince(since), 0), Self.longestGrown * 4))
    return Postponement(reason: postponement.reason, after: max(postponement.after, jitter.wait(upTo: age / 4)))
  }

  /// In seconds; what has waited for four times that waits no longer.
  private static let longestGrown = 600.0

  func expire(_ targeted: TargetedDelivery) {
    state.withLock { $0.attempt.expire(targeted) }
  }

  /// Records why a target is not tried any more.
  func leaveOut(_ targeted: TargetedDelivery, _ reason: SkipReason) {
    state.withLock { $0.attempt.leaveOut(targeted, reason) }
  }

  func wait(until notBefore: Date, _ targeted: TargetedDelivery, now: Date) {
    state.withLock { $0.attempt.wait(until: notBefore, targeted, now: now) }
  }

  func abandon() {
    state.withLock { $0.attempt.abandon() }
  }

  /// Final outcomes that are not known to be committed.
  var unrecorded: [DeliveryStore.Record] {
    state.withLock { Array($0.attempt.records[$0.recorded...]) }
  }

  var hasUnrecorded: Bool { state.withLock { $0.recorded < $0.attempt.records.count } }

  /// Commits final outcomes that are not yet, by means of `write`.
  func recordOutcomes(_ write: ([DeliveryStore.Record]) async throws -> Void) async throws {
    let (start, records) = state.withLock { ($0.recorded, Array($0.attempt.records[$0.recorded...])) }
    guard !records.isEmpty else { return }
    try await write(records)
    state.withLock { $0.recorded = max($0.recorded, start + records.count) }
  }

  // MARK: Holding it

  /// Lets copies of the message, which wait until this one is settled, be begun.
  func release() {
    let waiting = state.withLock { state in
      state.isReleased = true
      return state.waiting
    }
    for waiter in waiting { waiter.resume() }
  }

  /// Returns when the message is settled and its notifications are free for a copy.
  func waitUntilReleased() async {
    await withCheckedContinuation { waiter in
      let isReleased = state.withLock { state in
        if !state.isReleased { state.waiting.append(waiter) }
        return state.isReleased
      }
      if isReleased { waiter.resume() }
    }
  }
}
