import Synchronization

/// Slows all pushes of a provider's project down after it said that the project's quota is used up.
final class QuotaPause: Sendable {
  private let until = Mutex<ContinuousClock.Instant?>(nil)

  /// Nothing is sent for `duration` from now, or longer if that was said before.
  func extend(by duration: Duration) {
    let end = ContinuousClock.now + duration
    until.withLock { $0 = max($0 ?? end, end) }
  }

  /// How long the pause lasts from now; nil if there is none.
  var remaining: Duration? {
    until.withLock { end in
      guard let instant = end else { return nil }
      let remaining = instant - .now
      if remaining <= .zero {
        end = nil
        return nil
      }
      return remaining
    }
  }
}
