/// Waits for something to become true.
enum Condition {
  /// Asks again and again until the answer is not `nil`.
  ///
  /// - Returns: The answer, or `nil` once the time is up.
  static func wait<Answer>(
    within limit: Duration,
    every pause: Duration = .milliseconds(50),
    _ ask: () async throws(LocalStackError) -> Answer?
  ) async throws(LocalStackError) -> Answer? {
    let clock = ContinuousClock()
    let deadline = clock.now + limit
    while true {
      if let answer = try await ask() { return answer }
      guard clock.now < deadline else { return nil }
      do {
        try await clock.sleep(for: pause)
      } catch {
        throw LocalStackError(.cancelled, "Cancelled while waiting.")
      }
    }
  }

  /// Waits until a process is ready.
  ///
  /// - Parameter ask: `nil` says that the process has ended.
  /// - Throws: `.exited` or `.timeout` with the end of the log.
  static func waitUntilReady(
    _ name: String,
    within limit: Duration,
    log: String,
    _ ask: () async throws(LocalStackError) -> Bool?
  ) async throws(LocalStackError) {
    let isReady = try await wait(within: limit, every: .milliseconds(20)) { () async throws(LocalStackError) -> Bool? in
      switch try await ask() {
      case true?: true
      case false?: nil
      case nil: false
      }
    }
    if isReady == true { return }
    throw LocalStackError(
      isReady == nil ? .timeout : .exited,
      isReady == nil ? "\(name) was not ready within \(Int(limit.inSeconds)) s." : "\(name) stopped while starting.",
      advice: "Its whole log: \(log)",
      logTail: Files.tail(log)
    )
  }
}
