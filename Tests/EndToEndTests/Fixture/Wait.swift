import Testing

/// Waits until a condition holds.
///
/// - Throws: A failed expectation, with `what`, once the time is up.
func waitUntil(
  _ what: String,
  within limit: Duration = .seconds(20),
  every pause: Duration = .milliseconds(50),
  sourceLocation: SourceLocation = #_sourceLocation,
  _ condition: () async throws -> Bool
) async throws {
  let deadline = ContinuousClock.now + limit
  while ContinuousClock.now < deadline {
    if try await condition() { return }
    try await Task.sleep(for: pause)
  }
  let holds = try await condition()
  try #require(holds, "waited \(limit) for: \(what)", sourceLocation: sourceLocation)
}
