import Foundation
import Testing

/// What a test waits for did not come.
struct TestTimeout: Error, CustomStringConvertible {
  let description: String
}

/// Returns as soon as the condition holds; fails after 20 seconds.
func eventually(_ what: String, _ holds: () async throws -> Bool) async throws {
  let deadline = ContinuousClock.now + .seconds(20)
  while try await !holds() {
    guard ContinuousClock.now < deadline else { throw TestTimeout(description: "still not so: \(what)") }
    try await Task.sleep(for: .milliseconds(5))
  }
}
