import Testing

struct NotInTime: Error, CustomStringConvertible {
  let description: String
}

/// Waits until the condition holds; fails the test if that takes longer than `limit`.
func eventually(
  _ what: String,
  within limit: Duration = .seconds(30),
  sourceLocation: SourceLocation = #_sourceLocation,
  _ condition: () async throws -> Bool
) async throws {
  let deadline = ContinuousClock.now + limit
  while try await !condition() {
    guard ContinuousClock.now < deadline else {
      Issue.record("not within \(limit): \(what)", sourceLocation: sourceLocation)
      throw NotInTime(description: what)
    }
    try await Task.sleep(for: .milliseconds(20))
  }
}

/// Cancels `body` and fails if it takes longer than `limit`.
func withDeadline<Result: Sendable>(
  _ limit: Duration = .seconds(60),
  _ body: @escaping @Sendable () async throws -> Result
) async throws -> Result {
  try await withThrowingTaskGroup(of: Result?.self) { group in
    group.addTask { try await body() }
    group.addTask {
      try await Task.sleep(for: limit)
      return nil
    }
    defer { group.cancelAll() }
    guard let first = try await group.next(), let result = first else {
      throw NotInTime(description: "still running after \(limit)")
    }
    return result
  }
}
