import LocalStack
package import Testing

/// Gives the tests of a suite their RabbitMQ, the ``TestBroker``.
package struct TestBrokerTrait: SuiteTrait, TestScoping {
  fileprivate let isShared: Bool

  @concurrent package func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    if isShared {
      try await TestBroker.$current.withValue(try await TestBroker.shared.value) { try await function() }
    } else {
      try await Self.performOnItsOwn(function)
    }
  }

  private static func performOnItsOwn(_ function: @Sendable @concurrent () async throws -> Void) async throws {
    let broker = try await TestBroker.start()
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
