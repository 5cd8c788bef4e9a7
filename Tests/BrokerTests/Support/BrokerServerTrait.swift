import Testing

/// Starts one broker for all tests of a suite.
struct BrokerServerTrait: SuiteTrait, TestScoping {
  @concurrent func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    try await TestBroker.withServer { try await function() }
  }
}

extension Trait where Self == BrokerServerTrait {
  static var realBroker: Self { Self() }
}

/// Everything that needs a broker. One after the other: some tests stop it or raise its alarm.
@Suite(.realBroker, .serialized, .timeLimit(.minutes(5)))
struct RealBroker {}
