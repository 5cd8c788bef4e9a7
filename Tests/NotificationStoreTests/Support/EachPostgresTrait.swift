import TestSupport
import Testing

/// Runs all tests of a suite on this machine's PostgreSQL, then all of them again on one of the next version.
struct EachPostgresTrait: SuiteTrait, TestScoping {
  @concurrent func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    try await TestDatabase.onEachServer { try await function() }
  }
}

extension Trait where Self == EachPostgresTrait {
  static var eachPostgres: Self { Self() }
}
