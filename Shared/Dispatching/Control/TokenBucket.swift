import Foundation

/// Lets so many calls a second pass, on the average of a second. After a start it begins with a tenth of them and takes a minute to
/// come to all: a provider wants no sudden load.
struct TokenBucket {
  /// How long a start takes, and with which part of the rate it begins.
  static let ramp: Duration = .seconds(60)
  static let rampStart = 0.1

  /// Calls a second once the start is over.
  private(set) var rate: Double
  private var tokens = 0.0
  private var filledAt: ContinuousClock.Instant
  private var startedAt: ContinuousClock.Instant

  init(rate: Double, now: ContinuousClock.Instant) {
    self.rate = rate
    filledAt = now
    startedAt = now
  }

  /// Takes a token.
  ///
  /// - Parameter leavesHalf: Whether it leaves half of what a second brings.
  /// - Returns: Nil if there was one, else how long until there is.
  mutating func take(at now: ContinuousClock.Instant, leavesHalf: Bool = false) -> Duration? {
    fill(until: now)
    let needed = leavesHalf ? 1 + (capacity - 1) / 2 : 1
    if tokens >= needed {
      tokens -= 1
      return nil
    }
    return .seconds((needed - tokens) / max(currentRate(at: now), 0.001))
  }

  /// Gives back a token that was not needed.
  mutating func giveBack() {
    tokens = min(tokens + 1, capacity)
  }

  /// Changes the rate: from now on, without a new start.
  mutating func setRate(_ rate: Double, at now: ContinuousClock.Instant) {
    fill(until: now)
    self.rate = rate
    tokens = min(tokens, capacity)
  }

  /// Whether the start is over.
  func isStarted(at now: ContinuousClock.Instant) -> Bool { now - startedAt >= Self.ramp }

  /// Begins anew, as after a trouble.
  mutating func restart(at now: ContinuousClock.Instant) {
    tokens = 0
    filledAt = now
    startedAt = now
  }

  /// A second's: in any minute no more than 61/60 of the rate pass.
  private var capacity: Double { max(1, rate) }

  private func currentRate(at now: ContinuousClock.Instant) -> Double {
    let part = min(1, max(0, (now - startedAt) / Self.ramp))
    return rate * (Self.rampStart + (1 - Self.rampStart) * part)
  }

  private mutating func fill(until now: ContinuousClock.Instant) {
    guard now > filledAt else { return }
    tokens = min(capacity, tokens + rate * (share(until: now) - share(until: filledAt)))
    filledAt = now
  }

  /// Seconds of the full rate since the start: the integral of what grows from a tenth.
  private func share(until now: ContinuousClock.Instant) -> Double {
    let seconds = max(0, (now - startedAt) / .seconds(1))
    let ramp = Self.ramp / .seconds(1)
    let inRamp = min(seconds, ramp)
    return Self.rampStart * inRamp + (1 - Self.rampStart) * inRamp * inRamp / (2 * ramp) + (seconds - inRamp)
  }
}
