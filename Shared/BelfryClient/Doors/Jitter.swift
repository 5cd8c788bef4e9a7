/// Random pauses between attempts, so that many clients do not come back at once.
struct Jitter: Sendable {
  /// From 0 up to 1.
  var random: @Sendable () -> Double = { Double.random(in: 0..<1) }

  /// Before the next attempt: a random time up to one that doubles with each attempt.
  func pause(after attempts: Int, _ timing: ClientTiming) -> Duration {
    // Beyond 2^20 nothing doubles any more.
    let longest = min(timing.retryMaximum, timing.retryMinimum * (1 << min(max(attempts, 0), 20)))
    return longest * random()
  }
}
