import Synchronization

/// A quota that several workers have together: what one takes is not another's.
public final class SharedTokens: Sendable {
  fileprivate struct State {
    var bucket: TokenBucket
    /// Until when nothing is taken by those that leave the others their part: one of these waits.
    var awaitedUntil: ContinuousClock.Instant?
  }

  fileprivate let state: Mutex<State>

  /// - Parameter perMinute: Calls, until it is known how many processes share them.
  public convenience init(perMinute: Int) {
    self.init(rate: Double(perMinute) / 60, now: .now)
  }

  init(rate: Double, now: ContinuousClock.Instant) {
    state = Mutex(State(bucket: TokenBucket(rate: rate, now: now)))
  }

  /// What a worker takes tokens by.
  ///
  /// - Parameter leavesHalf: Whether it leaves the others half of a second's calls, and all while they wait for one, so that they
  ///   need not wait for its backlog. What it starts anew after a trouble of its own is its part alone.
  public func member(leavesHalf: Bool = false) -> Member {
    Member(quota: self, yielding: leavesHalf ? Yielding() : nil)
  }

  /// What a worker that leaves the others their part has of its own.
  fileprivate final class Yielding: Sendable {
    /// The start after its last trouble; nil: it had none, or that start is over.
    let start = Mutex<TokenBucket?>(nil)
  }

  /// A worker's part in a quota.
  public struct Member: Sendable {
    fileprivate let quota: SharedTokens
    fileprivate let yielding: Yielding?

    /// As of ``TokenBucket``.
    func take(at now: ContinuousClock.Instant) -> Duration? {
      guard let yielding else {
        return quota.state.withLock { state in
          let wait = state.bucket.take(at: now)
          if wait != nil { state.awaitedUntil = now + Self.pollsWithin }
          return wait
        }
      }
      return yielding.start.withLock { start in
        if start?.isStarted(at: now) == true { start = nil }
        if let wait = start?.take(at: now) { return wait }
        let wait = quota.state.withLock { state in
          if let end = state.awaitedUntil, end > now { return Duration?.some(end - now) }
          return state.bucket.take(at: now, leavesHalf: true)
        }
        if wait != nil { start?.giveBack() }
        return wait
      }
    }

    /// Who waits for a token looks again sooner: every 250 ms.
    private static var pollsWithin: Duration { .milliseconds(500) }

    func giveBack() {
      yielding?.start.withLock { $0?.giveBack() }
      quota.state.withLock { $0.bucket.giveBack() }
    }

    func setRate(_ rate: Double, at now: ContinuousClock.Instant) {
      yielding?.start.withLock { $0?.setRate(rate, at: now) }
      quota.state.withLock { $0.bucket.setRate(rate, at: now) }
    }

    /// Begins anew, as after a trouble; where it leaves the others their part, they are not held up by it.
    func restart(at now: ContinuousClock.Instant) {
      guard let yielding else { return quota.state.withLock { $0.bucket.restart(at: now) } }
      let rate = quota.state.withLock(\.bucket.rate)
      yielding.start.withLock { $0 = TokenBucket(rate: rate, now: now) }
    }
  }
}
