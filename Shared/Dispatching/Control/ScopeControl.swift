import Foundation

/// What is known about a provider in one scope, and whether it may be asked now. Pure: the time is passed in.
struct ScopeControl {
  /// A call that may be made; its end is told with it.
  struct Call: Sendable {
    var isRetry: Bool
    var generation: Int
  }

  /// A wait that no provider asked for is looked at again after this.
  static let longestWait: Duration = .seconds(60)

  private let sparesQuarterHours: Bool
  private let jitter: FullJitter
  private var breaker: CircuitBreaker
  private var budget: RetryBudget
  private var troubles: SlidingCounts
  private var pausedUntil: ContinuousClock.Instant?
  private var pace: ScopePace

  init(
    sparesQuarterHours: Bool,
    slowsDown: Bool = false,
    jitter: FullJitter,
    now: ContinuousClock.Instant
  ) {
    self.sparesQuarterHours = sparesQuarterHours
    self.jitter = jitter
    breaker = CircuitBreaker(now: now)
    budget = RetryBudget(now: now)
    troubles = SlidingCounts(window: RetryBudget.window, now: now)
    pace = ScopePace(slowsDown: slowsDown, now: now)
  }

  /// - Parameter most: Calls a second; nil: as many as there are.
  mutating func setMost(_ most: Double?, at now: ContinuousClock.Instant) { pace.setMost(most, at: now) }

  /// Whether it would lose something to forget the scope.
  func isQuiet(at now: ContinuousClock.Instant) -> Bool {
    breaker.isClosed && (pausedUntil ?? now) <= now && !pace.isSlowed(at: now)
  }

  /// Why nothing may begin now; nil if something may, once there is a permit and a token.
  mutating func refusal(isRetry: Bool, at now: ContinuousClock.Instant, date: @autoclosure () -> Date) -> Postponement?
  {
    if let end = pausedUntil {
      // What the provider says is a least; the ladder's tiers spread what is more.
      if end > now { return Postponement(reason: .throttled, after: end - now) }
      pausedUntil = nil
    }
    if let wait = breaker.refusal(at: now) { return postponement(.breaker, wait) }
    if pace.refuses(at: now) { return postponement(.pace, Self.longestWait) }
    guard isRetry else { return nil }
    if sparesQuarterHours, let wait = QuarterHours.remaining(at: date()) { return postponement(.quarterHour, wait) }
    troubles.forget(before: now)
    // A provider that works takes all that waited for it.
    guard troubles.marked * 100 > troubles.all, !budget.allowsRetry(at: now) else { return nil }
    return postponement(.retryBudget, Self.longestWait)
  }

  func postponement(_ reason: Postponement.Reason, _ wait: Duration) -> Postponement {
    Postponement(reason: reason, after: jitter.wait(upTo: min(wait, Self.longestWait)))
  }

  /// Begins a call that is not refused.
  mutating func begin(isRetry: Bool, at now: ContinuousClock.Instant) -> Call {
    breaker.begin(at: now)
    budget.add(isRetry: isRetry, at: now)
    pace.take()
    return Call(isRetry: isRetry, generation: breaker.generation)
  }

  /// Takes back a call that was not made.
  mutating func cancel(_ call: Call) {
    breaker.cancel(generation: call.generation)
    budget.remove(isRetry: call.isRetry)
    pace.giveBack()
  }

  /// Learns from what came of a call.
  ///
  /// - Returns: Whether the scope is closed, opened or paused by it.
  mutating func end(
    _ call: Call,
    _ result: DeliveryResult,
    at now: ContinuousClock.Instant
  ) -> CircuitBreaker.Change {
    switch result {
    case .throttled(_, let until, let pause):
      let until = pause ?? until
      let isNew = pausedUntil.map { $0 <= now } ?? true
      pausedUntil = max(pausedUntil ?? now, now + until)
      pace.slowDown(at: now)
      // A sender that knows of it does not ask: it is no answer that says whether the provider works.
      breaker.cancel(generation: call.generation)
      return isNew ? .paused(until) : .none
    case .retry(_, _, _, _, let isTrouble): return learn(call, isTrouble: isTrouble, at: now)
    case .rejected(_, _, _, wasAsked: false), .postponed, .abandoned:
      // It was not made.
      cancel(call)
      return .none
    case .delivered, .rejected, .deadLettered: return learn(call, isTrouble: false, at: now)
    // The service stops.
    case .uncertain: return .none
    case .ofProvider(let result): return end(call, result, at: now)
    }
  }

  private mutating func learn(
    _ call: Call,
    isTrouble: Bool,
    at now: ContinuousClock.Instant
  ) -> CircuitBreaker.Change {
    troubles.add(isMarked: isTrouble, at: now)
    pace.count(at: now)
    return breaker.end(failed: isTrouble, generation: call.generation, at: now)
  }
}
