/// Runs `body`, which is cancelled when the time is up.
///
/// - Throws: What `body` throws, or ``NotInTime``.
package func withDeadline<Result: Sendable>(
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

package struct NotInTime: Error, CustomStringConvertible {
  package let description: String
}
