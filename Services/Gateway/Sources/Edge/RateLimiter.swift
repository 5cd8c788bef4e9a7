import Synchronization

/// A token bucket per subject: so many requests a second, twice as many in a burst. Each process counts for itself.
final class RateLimiter: Sendable {
  private struct Bucket {
    var tokens: Double
    var at: ContinuousClock.Instant
  }

  let policy: RateLimitPolicy
  private let rate: Double
  /// By the subject's hash, so that long names take no more memory than short ones. Two that share one of 64 bits share a bucket.
  private let buckets = Mutex<[Int: Bucket]>([:])
  /// Beyond so many subjects the full buckets are forgotten: they would start full again.
  private let maximumBuckets: Int
  private let now: @Sendable () -> ContinuousClock.Instant

  /// - Parameters:
  ///   - name: What is limited, as callers are told.
  ///   - rate: At least 1.
  init(
    _ name: String,
    rate: Int,
    maximumBuckets: Int = 100_000,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.now = now
    policy = RateLimitPolicy(name: name, rate: rate)
    self.rate = Double(rate)
    self.maximumBuckets = maximumBuckets
  }

  /// Counts a request of `subject`, if it may pass.
  func take(_ subject: some Hashable) -> Quota {
    let (key, now) = (Self.key(subject), now())
    return buckets.withLock { buckets in
      if buckets.count >= maximumBuckets, buckets[key] == nil {
        buckets = buckets.filter { refilled($0.value, now).tokens < rate * 2 }
        // So many busy subjects at once: looking through them for each request would cost more than starting afresh.
        if buckets.count > maximumBuckets / 2 { buckets.removeAll(keepingCapacity: true) }
      }
      var bucket = refilled(buckets[key] ?? Bucket(tokens: rate * 2, at: now), now)
      let isAdmitted = bucket.tokens >= 1
      if isAdmitted { bucket.tokens -= 1 }
      buckets[key] = bucket
      return Quota(policy: policy, isAdmitted: isAdmitted, remaining: Int(bucket.tokens))
    }
  }

  /// Takes back that a request was counted.
  func giveBack(_ subject: some Hashable) {
    let key = Self.key(subject)
    buckets.withLock { buckets in
      guard let tokens = buckets[key]?.tokens else { return }
      buckets[key]?.tokens = min(rate * 2, tokens + 1)
    }
  }

  /// How many subjects are kept.
  var count: Int { buckets.withLock(\.count) }

  private static func key(_ subject: some Hashable) -> Int {
    var hasher = Hasher()
    hasher.combine(subject)
    return hasher.finalize()
  }

  private func refilled(_ bucket: Bucket, _ now: ContinuousClock.Instant) -> Bucket {
    let elapsed = bucket.at.duration(to: now) / .seconds(1)
    return Bucket(tokens: min(rate * 2, bucket.tokens + max(0, elapsed) * rate), at: now)
  }
}
