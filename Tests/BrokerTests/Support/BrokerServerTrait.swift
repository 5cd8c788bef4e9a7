import LocalStack
import TestSupport
import Testing

/// Runs all tests of a suite on one broker, then all of them again on one of the next version.
struct BrokerServerTrait: SuiteTrait, TestScoping {
  @concurrent func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    for servers in TestedServers.all {
      try await TestBroker.withServer(servers.rabbitmq) { broker in
        print("on RabbitMQ \(try await broker.server.version())")
        try await function()
      }
    }
  }
}

extension Trait where Self == BrokerServerTrait {
  static var realBroker: Self { Self() }
}

/// Everything that needs a broker. One after the other: some tests stop it or raise its alarm.
@Suite(.realBroker, .serialized, .timeLimit(.minutes(5)))
struct RealBroker {}
