/// Waits for something to become true.
enum Patience {
  /// Asks until the answer is yes.
  ///
  /// - Throws: `BenchError` with `what` once the time is up.
  static func wait(
    for what: String,
    within limit: Duration,
    every pause: Duration = .milliseconds(20),
    _ isTrue: () async throws -> Bool
  ) async throws {
    let clock = ContinuousClock()
    let deadline = clock.now + limit
    while try await !isTrue() {
      guard clock.now < deadline else { throw BenchError("gave up waiting for \(what) after \(limit)") }
      try await clock.sleep(for: pause)
    }
  }
}
