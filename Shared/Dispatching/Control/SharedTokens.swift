import Synchronization

/// A quota that several workers have together: what one takes is not another's.
public final class SharedTokens: Sendable {
  fileprivate let bucket: Mutex<TokenBucket>

  /// - Parameter perMinute: Calls, until it is known how many processes share them.
  public convenience init(perMinute: Int) {
    self.init(rate: Double(perMinute) / 60, now: .now)
  }

  init(rate: Double, now: ContinuousClock.Instant) {
    bucket = Mutex(TokenBucket(rate: rate, now: now))
  }

  /// What a worker takes tokens by.
  ///
  /// - Parameter leavesHalf: Whether it leaves the others half of a second's calls, so that they need not wait for its backlog.
  public func member(leavesHalf: Bool = false) -> Member { Member(quota: self, leavesHalf: leavesHalf) }

  /// A worker's part in a quota.
  public struct Member: Sendable {
    fileprivate let quota: SharedTokens
    fileprivate let leavesHalf: Bool

    /// As of ``TokenBucket``.
    func take(at now: ContinuousClock.Instant) -> Duration? {
      quota.bucket.withLock { $0.take(at: now, leavesHalf: leavesHalf) }
    }

    func giveBack() { quota.bucket.withLock { $0.giveBack() } }

    func setRate(_ rate: Double, at now: ContinuousClock.Instant) {
      quota.bucket.withLock { $0.setRate(rate, at: now) }
    }

    func restart(at now: ContinuousClock.Instant) { quota.bucket.withLock { $0.restart(at: now) } }
  }
}
