import LocalStack
package import Testing

/// Runs all tests of a suite on one RabbitMQ, then all of them again on that of the next of ``TestedServers/all``.
package struct TestBrokerTrait: SuiteTrait, TestScoping {
  fileprivate let isShared: Bool

  @concurrent package func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    if isShared {
      for broker in TestBroker.shared {
        try await TestBroker.$current.withValue(try await broker.value) { try await function() }
      }
    } else {
      for servers in TestedServers.all { try await Self.performOnItsOwn(servers, function) }
    }
  }

  private static func performOnItsOwn(
    _ servers: TestedServers,
    _ function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    let broker = try await TestBroker.start(servers.rabbitmq)
    do {
      try await TestBroker.$current.withValue(broker) { try await function() }
    } catch {
      await broker.server.stop()
      throw error
    }
    await broker.server.stop()
  }
}

extension Trait where Self == TestBrokerTrait {
  /// One of the suite's own: its tests may stop it, raise its alarms and close all connections.
  package static var realBroker: Self { Self(isShared: false) }

  /// One that suites of this process share: their tests use queues that no other suite does, and leave the broker as it is.
  package static var sharedBroker: Self { Self(isShared: true) }
}
