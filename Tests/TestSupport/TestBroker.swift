package import Broker
package import LocalStack
import Testing

/// The real RabbitMQ of the running suite, which has ``TestBrokerTrait``.
package struct TestBroker: Sendable {
  @TaskLocal static var current: TestBroker?

  /// That of this process, started by the first suite that shares it. It ends with the process.
  static let shared = Task { try await start() }

  package let server: RabbitMQServer
  package let certificates: TestCertificates
  /// The server's folder.
  package let directory: String

  package static func require() throws -> TestBroker {
    try #require(current, "the test is outside of a suite with `.realBroker` or `.sharedBroker`")
  }

  /// Starts a broker with TLS.
  static func start() async throws -> TestBroker {
    let directory = try TestDirectory.forServer("rabbitmq")
    let certificates = try await TestCertificates.make(in: "\(directory)/certificates")
    let server = try await RabbitMQServer.start(
      directory: directory,
      installation: TestedServers.current.rabbitmq,
      tls: certificates.server,
      logger: .quiet
    )
    print("on RabbitMQ \(try await server.version())")
    return TestBroker(server: server, certificates: certificates, directory: directory)
  }

  package func configuration(
    _ change: (inout BrokerConfiguration) -> Void = { _ in }
  ) throws -> BrokerConfiguration {
    var configuration = try BrokerConfiguration(url: server.url)
    change(&configuration)
    return configuration
  }

  package var admin: BrokerAdmin {
    get throws { BrokerAdmin(configuration: try configuration(), logger: .quiet) }
  }

  /// Runs `body` with a publisher that is connected.
  package func withPublisher<Result: Sendable>(
    _ topology: BrokerTopology = .none,
    maximumUnconfirmed: Int = 1_000,
    configuration change: (inout BrokerConfiguration) -> Void = { _ in },
    _ body: (BrokerPublisher) async throws -> Result
  ) async throws -> Result {
    let publisher = BrokerPublisher(
      configuration: try configuration(change),
      topology: topology,
      maximumUnconfirmed: maximumUnconfirmed,
      logger: .quiet
    )
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await publisher.run() }
      defer { group.cancelAll() }
      try await eventually("the publisher is connected") { publisher.state == .connected }
      return try await body(publisher)
    }
  }
}
