import Synchronization

/// Slows all pushes of a provider's project down after it said that the project's quota is used up.
final class QuotaPause: Sendable {
  private struct State {
    var until: ContinuousClock.Instant?
    /// How many pauses of unsaid length have followed each other.
    var unsaid = 0
  }

  /// Where the provider does not say how long: doubled from the first to the longest, and up to a quarter more.
  private static let (first, longest) = (FCMAnswer.quotaPause, Duration.seconds(600))

  private let state = Mutex(State())

  /// Nothing is sent for `duration` from now, or longer if that was said before.
  ///
  /// - Parameter duration: Nil: the provider does not say. While a pause lasts that adds nothing: many calls are told at once.
  /// - Returns: How long the pause lasts from now.
  @discardableResult
  func extend(by duration: Duration?, from now: ContinuousClock.Instant = .now) -> Duration {
    state.withLock { state in
      if duration == nil, let until = state.until, until > now { return until - now }
      let end = now + (duration ?? Self.next(&state.unsaid))
      state.until = max(state.until ?? end, end)
      return (state.until ?? end) - now
    }
  }

  /// Something was sent: the next pause of unsaid length is the first.
  func sent() {
    state.withLock { $0.unsaid = 0 }
  }

  /// How long the pause lasts from now; nil if there is none.
  var remaining: Duration? {
    state.withLock { state in
      guard let instant = state.until else { return nil }
      let remaining = instant - .now
      if remaining <= .zero {
        state.until = nil
        return nil
      }
      return remaining
    }
  }

  private static func next(_ unsaid: inout Int) -> Duration {
    let wait = min(first * (1 << min(unsaid, 10)), longest)
    unsaid += 1
    return wait * Double.random(in: 1...1.25)
  }
}
