/// How often a call is attempted, and how long it may take.
///
/// Repeated are a broken connection, an answer that cannot be read, and the statuses 408, 425, 429 and 5xx, always with the call's own
/// `Idempotency-Key`: nobody is notified twice.
public struct RetryPolicy: Sendable, Equatable {
  /// Attempts of one call, the first among them: 1 to 100.
  public let attempts: Int
  /// For the call as a whole, pauses and all attempts included. A pause that would go beyond it ends the call at once.
  public let total: Duration
  /// For one attempt, unless less of ``total`` is left.
  public let attempt: Duration
  /// The first pause; each further one is twice as long, up to ``longestPause``. The pause that is taken lies between half of that and all of
  /// it, so that senders that failed together do not come back together. It is never shorter than the gateway's `Retry-After`.
  public let firstPause: Duration
  public let longestPause: Duration

  /// Of all of them: sums of longer ones overflow.
  private static let longest = Duration.seconds(366 * 86_400)

  /// None of the durations is longer than a year.
  public init(
    attempts: Int = 6,
    total: Duration = .seconds(60),
    attempt: Duration = .seconds(15),
    firstPause: Duration = .milliseconds(250),
    longestPause: Duration = .seconds(10)
  ) {
    self.attempts = min(max(attempts, 1), 100)
    self.total = min(max(total, .milliseconds(1)), Self.longest)
    self.attempt = min(max(attempt, .milliseconds(1)), Self.longest)
    self.firstPause = min(max(firstPause, .zero), Self.longest)
    self.longestPause = min(max(longestPause, .zero), Self.longest)
  }

  /// One attempt, and no other. What the gateway answers is then yours to judge.
  public static let never = RetryPolicy(attempts: 1)

  /// How long to wait after a failed attempt.
  ///
  /// - Parameters:
  ///   - failures: Attempts that failed so far, from 1.
  ///   - retryAfter: What the gateway asked for.
  ///   - random: From 0 to 1.
  func pause(after failures: Int, retryAfter: Duration?, random: Double) -> Duration {
    // Far beyond any pause that makes sense, and far from an overflow.
    let doublings = min(max(failures - 1, 0), 30)
    let step = min(firstPause * Double(1 << doublings), longestPause)
    let pause = step * (0.5 + 0.5 * min(max(random, 0), 1))
    // All who were sent away at the same moment were told the same.
    return retryAfter.map { $0 + pause } ?? pause
  }
}
