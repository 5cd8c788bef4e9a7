import Foundation

/// How many calls a second a scope gets: no more than are set, and fewer after the provider said that they are too many. Pure.
///
/// Then it gets half of what it had, and from there half as much again each minute. At four times what was too many it is free.
struct ScopePace {
  /// Over which calls are counted, and in which a slowed rate grows by ``growth``.
  static let window: Duration = .seconds(60)
  static let growth = 1.5
  /// What the provider said of calls that were in flight is one word with the first.
  static let settling: Duration = .seconds(10)
  /// A call a minute.
  static let least = 1.0 / 60

  private struct Slowed {
    var rate: Double
    var since: ContinuousClock.Instant
    var freeFrom: Double
  }

  private let slowsDown: Bool
  private let start: ContinuousClock.Instant
  private var most: Double?
  private var calls: SlidingCounts
  private var slowed: Slowed?
  private var tokens = 1.0
  private var filledAt: ContinuousClock.Instant

  /// - Parameters:
  ///   - most: Calls a second; nil: as many as there are.
  ///   - slowsDown: Whether it hears of too many.
  init(most: Double? = nil, slowsDown: Bool, now: ContinuousClock.Instant) {
    self.most = most
    self.slowsDown = slowsDown
    start = now
    filledAt = now
    calls = SlidingCounts(window: Self.window, now: now)
  }

  /// Calls a second now; nil: as many as there are.
  func rate(at now: ContinuousClock.Instant) -> Double? {
    guard let slowed else { return most }
    let rate = slowed.rate * pow(Self.growth, max(0, (now - slowed.since) / Self.window))
    return rate >= slowed.freeFrom ? most : min(rate, most ?? rate)
  }

  /// Whether it would lose something to forget it.
  func isSlowed(at now: ContinuousClock.Instant) -> Bool {
    slowed != nil && rate(at: now) != most
  }

  mutating func setMost(_ most: Double?, at now: ContinuousClock.Instant) {
    fill(until: now)
    self.most = most
  }

  /// Whether no call may begin now.
  mutating func refuses(at now: ContinuousClock.Instant) -> Bool {
    fill(until: now)
    return rate(at: now) != nil && tokens < 1
  }

  /// Begins a call that is not refused.
  mutating func take() { tokens = max(0, tokens - 1) }

  /// Takes back a call that was not made; what is more than a second's is lost when next it is looked at.
  mutating func giveBack() { tokens += 1 }

  /// Counts a call that was answered.
  mutating func count(at now: ContinuousClock.Instant) {
    guard slowsDown else { return }
    calls.add(isMarked: false, at: now)
  }

  /// The provider says that there were too many.
  mutating func slowDown(at now: ContinuousClock.Instant) {
    guard slowsDown else { return }
    if let slowed, now - slowed.since < Self.settling { return }
    calls.forget(before: now)
    let seconds = min(max(1, (now - start) / .seconds(1)), Self.window / .seconds(1))
    let had = max(Double(calls.all) / seconds, Self.least)
    // A minute in which nothing was tried says little of what it had.
    if let slowed, isSlowed(at: now), let rate = rate(at: now) {
      self.slowed = Slowed(rate: max(Self.least, rate / 2), since: now, freeFrom: slowed.freeFrom)
    } else {
      slowed = Slowed(rate: max(Self.least, had / 2), since: now, freeFrom: had * 4)
    }
    tokens = 0
    filledAt = now
  }

  private mutating func fill(until now: ContinuousClock.Instant) {
    guard now > filledAt else { return }
    defer { filledAt = now }
    guard let rate = rate(at: now) else {
      slowed = nil
      tokens = 1
      return
    }
    if !isSlowed(at: now) { slowed = nil }
    tokens = min(max(1, rate), tokens + rate * ((now - filledAt) / .seconds(1)))
  }
}
