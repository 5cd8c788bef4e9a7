/// Lets a tenth of the requests of the last two minutes be retries, so that retries do not keep a provider in trouble.
struct RetryBudget {
  static let window: Duration = .seconds(120)
  /// One retry for so many requests.
  static let requestsPerRetry = 10
  /// As many may be retries whatever the number of requests: where there are few, none would be.
  static let minimum = 30

  private var requests: SlidingCounts

  init(now: ContinuousClock.Instant) {
    requests = SlidingCounts(window: Self.window, now: now)
  }

  /// Whether one more request may be a retry.
  mutating func allowsRetry(at now: ContinuousClock.Instant) -> Bool {
    requests.forget(before: now)
    let retries = requests.marked + 1
    return retries <= Self.minimum || retries * Self.requestsPerRetry <= requests.all + 1
  }

  mutating func add(isRetry: Bool, at now: ContinuousClock.Instant) {
    requests.add(isMarked: isRetry, at: now)
  }

  /// Takes back a request that was not made.
  mutating func remove(isRetry: Bool) {
    requests.remove(isMarked: isRetry)
  }
}
