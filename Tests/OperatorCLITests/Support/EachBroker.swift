import Broker
import Foundation
import LocalStack
import Logging
import NotificationQueue
import TestSupport
import Testing

let silent = Logger(label: "silent") { _ in SwiftLogNoOpLogHandler() }

/// The broker of the running pass.
struct TestBroker: Sendable {
  @TaskLocal static var current: TestBroker?

  let server: RabbitMQServer
  let configuration: BrokerConfiguration

  var admin: BrokerAdmin { BrokerAdmin(configuration: configuration, logger: silent) }

  static func require() throws -> TestBroker {
    try #require(current, "the test is outside of the suite that starts the broker")
  }

  /// Runs `body` with a publisher that is connected.
  func withPublisher(_ topology: BrokerTopology, _ body: (BrokerPublisher) async throws -> Void) async throws {
    let publisher = BrokerPublisher(configuration: configuration, topology: topology, logger: silent)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await publisher.run() }
      defer { group.cancelAll() }
      try await eventually("the publisher is connected") { publisher.state == .connected }
      try await body(publisher)
    }
  }

  /// Takes a queue's messages out.
  func drain(_ queue: String) async throws -> [BrokerDelivery] {
    try await admin.withMessages(queue: queue) { fetch in
      let messages = try await fetch.take(1_000)
      for message in messages { try await fetch.acknowledge(message) }
      return messages
    }
  }
}

/// Runs all tests of a suite on one broker, then all of them again on one of the next version.
struct EachBrokerTrait: SuiteTrait, TestScoping {
  @concurrent func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    for servers in TestedServers.all {
      let directory = NSTemporaryDirectory() + "/belfry-dead-letter-tests-\(UUID().uuidString)"
      // Also where it does not start.
      defer { try? FileManager.default.removeItem(atPath: directory) }
      let server = try await RabbitMQServer.start(directory: directory, installation: servers.rabbitmq, logger: silent)
      let outcome: Result<Void, any Error>
      do {
        print("on RabbitMQ \(try await server.version())")
        let broker = TestBroker(server: server, configuration: try BrokerConfiguration(url: server.url))
        outcome = .success(try await TestBroker.$current.withValue(broker) { try await function() })
      } catch {
        outcome = .failure(error)
      }
      await server.stop()
      try outcome.get()
    }
  }
}

extension Trait where Self == EachBrokerTrait {
  static var eachBroker: Self { Self() }
}

/// Waits until the condition holds; fails the test if that takes longer than half a minute.
func eventually(
  _ what: String,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ condition: () async throws -> Bool
) async throws {
  let deadline = ContinuousClock.now + .seconds(30)
  while try await !condition() {
    try #require(ContinuousClock.now < deadline, "not in time: \(what)", sourceLocation: sourceLocation)
    try await Task.sleep(for: .milliseconds(20))
  }
}
