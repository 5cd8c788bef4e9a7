import Synchronization

/// Whether something is to be logged again: once a minute, for it may be said of each push.
final class RepeatedNews: Sendable {
  static let pause = Duration.seconds(60)
  /// Of different things; of more, all are news again.
  static let maximumCount = 64

  private let logged = Mutex<[String: ContinuousClock.Instant]>([:])

  func isDue(_ what: String, at now: ContinuousClock.Instant = .now) -> Bool {
    logged.withLock { logged in
      if let last = logged[what], now - last < Self.pause { return false }
      if logged.count >= Self.maximumCount { logged = [:] }
      logged[what] = now
      return true
    }
  }
}
