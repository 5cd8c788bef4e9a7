import Synchronization

/// A token bucket per subject: so many requests a second, twice as many in a burst.
final class RateLimiter: Sendable {
  private struct Bucket {
    var tokens: Double
    var at: ContinuousClock.Instant
  }

  private let rate: Double
  private let buckets = Mutex<[String: Bucket]>([:])
  /// Beyond so many subjects the full buckets are forgotten: they would start full again.
  private static let maximumBuckets = 100_000

  init(rate: Int) {
    self.rate = Double(rate)
  }

  /// Whether a request of `subject` may pass at `now`.
  func admits(_ subject: String, now: ContinuousClock.Instant = .now) -> Bool {
    buckets.withLock { buckets in
      if buckets.count >= Self.maximumBuckets {
        buckets = buckets.filter { refilled($0.value, now).tokens < rate * 2 }
        // So many busy subjects at once: looking through them for each request would cost more than starting afresh.
        if buckets.count > Self.maximumBuckets / 2 { buckets.removeAll(keepingCapacity: true) }
      }
      var bucket = refilled(buckets[subject] ?? Bucket(tokens: rate * 2, at: now), now)
      defer { buckets[subject] = bucket }
      guard bucket.tokens >= 1 else { return false }
      bucket.tokens -= 1
      return true
    }
  }

  private func refilled(_ bucket: Bucket, _ now: ContinuousClock.Instant) -> Bucket {
    let elapsed = bucket.at.duration(to: now) / .seconds(1)
    return Bucket(tokens: min(rate * 2, bucket.tokens + max(0, elapsed) * rate), at: now)
  }
}
