package import Testing

/// Waits until a condition holds.
///
/// - Parameters:
///   - what: What is waited for: "the consumer is ready".
///   - pause: Between two looks at the condition.
/// - Throws: What the condition throws, or a failed expectation, which is recorded, once the time is up.
package func eventually(
  _ what: String,
  within limit: Duration = .seconds(30),
  every pause: Duration = .milliseconds(20),
  sourceLocation: SourceLocation = #_sourceLocation,
  _ condition: () async throws -> Bool
) async throws {
  let deadline = ContinuousClock.now + limit
  var holds = try await condition()
  while !holds, ContinuousClock.now < deadline {
    try await Task.sleep(for: pause)
    holds = try await condition()
  }
  try #require(holds, "not within \(limit): \(what)", sourceLocation: sourceLocation)
}
