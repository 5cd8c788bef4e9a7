import Foundation

/// Decides what is sent when: in order where the same notification is concerned, else a few at a time. Sends nothing itself.
struct InboxQueue: Sendable {
  static let maximumWaiting = 500
  static let atOnce = 4
  /// Of a server that answers that it cannot.
  static let maximumRefusals = 6
  /// Of a server that is away, but for the time in which this device has no network.
  static let maximumAttempts = 100

  /// Until then the user may send nothing at all.
  private var heldUntil = Date.distantPast
  /// The longest time for which anything that was sent waits. Whatever seems to wait longer does not: the clock was set back.
  private var longestPause = 400.0

  /// What to send now, and when to look again.
  struct Plan: Sendable, Equatable {
    var sending: [InboxOperation.ID] = []
    var next: Date?
  }

  func plan(_ operations: [InboxOperation], now: Date) -> Plan {
    var plan = Plan()
    var free = Self.atOnce - operations.count { $0.isSending }
    var taken: Set<UUID> = []
    var isAllTaken = false
    for operation in operations {
      // What can still be taken back is in nobody's way.
      let isHeld = operation.notBefore.isAhead(of: now, by: operation.isSent ? longestPause : operation.delay.inSeconds)
      if isHeld, !operation.isSent {
        plan.wait(until: operation.notBefore)
        continue
      }
      let isBlocked =
        operation.isSending || isAllTaken || operation.isAll && !taken.isEmpty
        || operation.notifications.contains { taken.contains($0) }
      taken.formUnion(operation.notifications)
      isAllTaken = isAllTaken || operation.isAll
      if isBlocked { continue }
      let due = max(isHeld ? operation.notBefore : now, heldUntil.isAhead(of: now, by: longestPause) ? heldUntil : now)
      if due > now {
        plan.wait(until: due)
      } else if free > 0 {
        free -= 1
        plan.sending.append(operation.id)
      }
    }
    return plan
  }

  /// What becomes of an operation that failed.
  enum Verdict: Sendable, Equatable {
    /// It is as if it had succeeded: what was to be deleted is gone.
    case done
    case again(InboxOperation)
    /// One that cannot be used does not spoil the others: each on its own.
    case apart
    /// The notification is gone.
    case gone
    case failed
  }

  mutating func judge(
    _ operation: InboxOperation,
    _ error: BelfryError,
    now: Date,
    timing: ClientTiming,
    jitter: Jitter
  ) -> Verdict {
    if error.code == .notFound, operation.action == .remove { return .done }
    if error.isTemporary {
      var next = operation
      next.isSending = false
      next.failures += 1
      // What comes until then was not meant.
      if next.isWhole { next.isAll = false }
      if error.status > 0 { next.refusals += 1 } else if error.code != .offline { next.attempts += 1 }
      guard next.refusals < Self.maximumRefusals, next.attempts < Self.maximumAttempts else { return .failed }
      let pause = (error.retryAfter ?? .zero) + jitter.pause(after: next.failures, timing)
      longestPause = max(longestPause, pause.inSeconds)
      next.notBefore = now.addingTimeInterval(pause.inSeconds)
      if error.code == .rateLimited { heldUntil = next.notBefore }
      return .again(next)
    }
    guard !operation.isAll else { return .failed }
    if error.code == .invalid, operation.notifications.count > 1 { return .apart }
    if error.code == .notFound, operation.notifications.count == 1, !operation.isAction { return .gone }
    return .failed
  }
}

extension InboxQueue.Plan {
  fileprivate mutating func wait(until date: Date) {
    next = min(next ?? date, date)
  }
}

extension InboxOperation {
  /// A button may be gone while its notification is not.
  fileprivate var isAction: Bool {
    if case .perform = action { true } else { false }
  }
}
