import Synchronization

/// Stops pushes that a provider refuses for our own fault, until one gets through: one is tried each minute, and all others wait.
final class PoolStop: Sendable {
  /// Until what is ours is tried again.
  static let pause = Duration.seconds(60)

  private struct State {
    var reason: String
    var until: ContinuousClock.Instant
    /// When it was refused last.
    var since: ContinuousClock.Instant
  }

  private let lapse: Duration?
  private let state = Mutex<State?>(nil)

  /// - Parameter lapse: It ends by itself if nothing was refused for so long; nil: only if a push gets through.
  init(lapse: Duration? = nil) {
    self.lapse = lapse
  }

  /// Why nothing is sent; nil if it is.
  func reason(at now: ContinuousClock.Instant = .now) -> String? {
    state.withLock { state in
      guard let state, !hasLapsed(state, now) else { return nil }
      return state.reason
    }
  }

  private func hasLapsed(_ state: State, _ now: ContinuousClock.Instant) -> Bool {
    lapse.map { now - state.since >= $0 } ?? false
  }

  /// How long a push has to wait, and why; nil if it may go. When the pause is over, the first that asks may, and the others
  /// wait for what comes of it.
  func wait(at now: ContinuousClock.Instant = .now) -> (reason: String, time: Duration)? {
    state.withLock { state in
      guard let stopped = state, !hasLapsed(stopped, now) else { return nil }
      guard now >= stopped.until else { return (stopped.reason, stopped.until - now) }
      state?.until = now + Self.pause
      return nil
    }
  }

  /// - Returns: Whether that is news.
  func stop(_ reason: String, at now: ContinuousClock.Instant = .now) -> Bool {
    state.withLock { state in
      let isNews = state.map { hasLapsed($0, now) || $0.reason != reason } ?? true
      state = State(reason: reason, until: now + Self.pause, since: now)
      return isNews
    }
  }

  /// A push got through.
  ///
  /// - Returns: What it was stopped for; nil if it was not.
  func end() -> String? {
    state.withLock { state in
      defer { state = nil }
      return state?.reason
    }
  }
}
