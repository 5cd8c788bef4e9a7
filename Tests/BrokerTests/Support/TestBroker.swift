import Broker
import Foundation
import LocalStack
import Logging
import Testing

/// The real broker of the running suite, and what tests make over and over.
struct TestBroker: Sendable {
  @TaskLocal static var current: TestBroker?

  let server: RabbitMQServer
  let certificates: TestCertificates
  let directory: String

  static func require() throws -> TestBroker {
    try #require(current, "the test is outside of the suite that starts the broker")
  }

  func configuration(_ change: (inout BrokerConfiguration) -> Void = { _ in }) throws -> BrokerConfiguration {
    var configuration = try BrokerConfiguration(url: server.url)
    change(&configuration)
    return configuration
  }

  var admin: BrokerAdmin {
    get throws { BrokerAdmin(configuration: try configuration(), logger: .silent) }
  }

  /// Runs `body` with a publisher that is connected.
  func withPublisher<Result: Sendable>(
    _ topology: BrokerTopology = .none,
    maximumUnconfirmed: Int = 1_000,
    configuration change: (inout BrokerConfiguration) -> Void = { _ in },
    _ body: (BrokerPublisher) async throws -> Result
  ) async throws -> Result {
    let publisher = BrokerPublisher(
      configuration: try configuration(change),
      topology: topology,
      maximumUnconfirmed: maximumUnconfirmed,
      logger: .silent
    )
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await publisher.run() }
      defer { group.cancelAll() }
      try await eventually("the publisher is connected") { publisher.state == .connected }
      return try await body(publisher)
    }
  }

  func consumer(
    _ queue: String,
    topology: BrokerTopology? = nil,
    prefetch: Int = 100,
    maximumBatch: Int = 50,
    logger: Logger = .silent,
    configuration change: (inout BrokerConfiguration) -> Void = { _ in },
    reconnected: (@Sendable () -> Void)? = nil
  ) throws -> BrokerConsumer {
    BrokerConsumer(
      configuration: try configuration(change),
      topology: topology ?? BrokerTopology(queues: [.quorum(queue)]),
      queue: queue,
      prefetch: prefetch,
      maximumBatch: maximumBatch,
      reconnected: reconnected,
      logger: logger
    )
  }

  /// Consumes and acknowledges until `count` messages have come.
  func receive(_ count: Int, from queue: String, topology: BrokerTopology? = nil) async throws -> [BrokerDelivery] {
    let consumer = try consumer(queue, topology: topology)
    return try await withDeadline {
      var received: [BrokerDelivery] = []
      try await consumer.run { batches in
        if count == 0 { return }
        for await batch in batches {
          received += batch
          consumer.acknowledge(batch)
          if received.count >= count { return }
        }
      }
      return received
    }
  }

  /// Starts a broker with TLS for the duration of `body`, in a directory that goes with it.
  static func withServer(_ installation: RabbitMQInstallation, _ body: (TestBroker) async throws -> Void) async throws {
    let directory = NSTemporaryDirectory() + "/belfry-broker-tests-\(ProcessInfo.processInfo.processIdentifier)"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let outcome: Result<Void, any Error>
    do {
      let certificates = try await TestCertificates.make(in: directory + "/certificates")
      let server = try await RabbitMQServer.start(
        directory: directory + "/rabbitmq",
        installation: installation,
        tls: certificates.server,
        logger: .silent
      )
      let broker = TestBroker(server: server, certificates: certificates, directory: directory)
      do {
        outcome = .success(try await $current.withValue(broker) { try await body(broker) })
      } catch {
        outcome = .failure(error)
      }
      await server.stop()
    } catch {
      outcome = .failure(error)
    }
    try FileManager.default.removeItem(atPath: directory)
    try outcome.get()
  }
}

/// A name no other test uses.
func unique(_ name: String) -> String { "\(name)-\(UUID().uuidString.prefix(8))" }

/// A small message that says which it is.
func numbered(_ number: Int) -> BrokerMessage { BrokerMessage(body: Array(String(number).utf8)) }

extension BrokerDelivery {
  var text: String { String(decoding: message.body, as: UTF8.self) }
}
