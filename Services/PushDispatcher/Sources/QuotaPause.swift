import Synchronization

/// Slows all pushes of a provider's project down after it said that the project's quota is used up.
final class QuotaPause: Sendable {
  private let until = Mutex<ContinuousClock.Instant?>(nil)

  /// Nothing is sent for `duration` from now, or longer if that was said before.
  ///
  /// - Returns: Whether the pause begins with that.
  @discardableResult
  func extend(by duration: Duration) -> Bool {
    let now = ContinuousClock.now
    return until.withLock { end in
      let isNew = end.map { $0 <= now } ?? true
      end = max(end ?? now, now + duration)
      return isNew
    }
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
