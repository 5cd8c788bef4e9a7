import Foundation
import TestSupport
import Testing

@testable import Broker
@testable import LocalStack

extension RealBroker {
  struct Connecting {
    private let broker: TestBroker
    private let queue = unique("connect")

    init() throws { broker = try TestBroker.require() }

    private var login: String { "\(broker.server.user):\(broker.server.password)" }

    private func failure(
      _ url: String,
      _ change: (inout BrokerConfiguration) -> Void = { _ in }
    ) async throws -> BrokerError? {
      var configuration = try BrokerConfiguration(url: url)
      change(&configuration)
      let admin = BrokerAdmin(configuration: configuration, logger: .quiet)
      return await #expect(throws: BrokerError.self) { try await admin.declare(.none) }
    }

    @Test func `nobody knows who may log in but the owner of the directory`() async throws {
      let guest = "amqp://guest:guest@127.0.0.1:\(broker.server.port)/"
      #expect(try await failure(guest)?.code == .accessRefused)
      for name in ["password", "definitions.json"] {
        let file = try FileManager.default.attributesOfItem(atPath: "\(broker.directory)/\(name)")
        #expect(file[.posixPermissions] as? Int == 0o600, "\(name)")
      }
      // As a release before has left it.
      try await broker.server.control([
        "eval",
        #"""
        rabbit_auth_backend_internal:add_user(<<"guest">>, <<"guest">>, <<"test">>),
        rabbit_auth_backend_internal:set_permissions(<<"guest">>, <<"/">>, <<".*">>, <<".*">>, <<".*">>, <<"test">>).
        """#,
      ])
      try await BrokerAdmin(configuration: BrokerConfiguration(url: guest), logger: .quiet).declare(.none)
      try await broker.server.removeGuest()
      #expect(try await failure(guest)?.code == .accessRefused)
    }

    @Test func `a wrong password is refused and never repeated`() async throws {
      let error = try await failure("amqp://belfry:s3cret@127.0.0.1:\(broker.server.port)/")
      #expect(error?.code == .accessRefused)
      #expect(error?.isTransient == false)
      #expect(!String(reflecting: error).contains("s3cret"))
    }

    @Test func `an unknown virtual host is refused`() async throws {
      let error = try await failure("\(broker.server.url)nowhere")
      #expect(error?.code == .accessRefused)
      #expect(error.map { "\($0)".contains("nowhere") } == true)
    }

    @Test func `hosts are tried in turn`() async throws {
      let dead = try FreePort.find()
      let url = "amqp://\(login)@127.0.0.1:\(dead),127.0.0.1:\(broker.server.port)/"
      let admin = BrokerAdmin(configuration: try BrokerConfiguration(url: url), logger: .quiet)
      try await admin.declare(BrokerTopology(queues: [.exclusive(queue)]))

      let error = try await failure("amqp://127.0.0.1:\(dead),localhost:\(dead)/")
      #expect(error?.code == .cannotConnect)
      #expect(error?.isTransient == true)
      #expect(error.map { "\($0)".contains("127.0.0.1:\(dead)") && "\($0)".contains("localhost:\(dead)") } == true)
    }

    private func tlsURL(_ host: String) throws -> String {
      "amqps://\(login)@\(host):\(try #require(broker.server.tlsPort))/"
    }

    @Test func `TLS works with the right authority`() async throws {
      var configuration = try BrokerConfiguration(url: try tlsURL("localhost"))
      configuration.caFile = broker.certificates.server.authorityFile
      let publisher = BrokerPublisher(
        configuration: configuration,
        topology: BrokerTopology(queues: [.quorum(queue)]),
        logger: .quiet
      )
      let body = [UInt8](repeating: 7, count: 3_000_000)
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await publisher.run() }
        try await eventually("connected") { publisher.state == .connected }
        try await withThrowingDiscardingTaskGroup { calls in
          for number in 0..<200 {
            calls.addTask {
              let message = number == 100 ? BrokerMessage(body: body) : numbered(number)
              try await publisher.publish(message, exchange: "", routingKey: queue)
            }
          }
        }
        group.cancelAll()
      }
      let consumer = BrokerConsumer(
        configuration: configuration,
        queue: queue,
        prefetch: 300,
        maximumBatch: 100,
        logger: .quiet
      )
      let received = try await withDeadline {
        var received: [BrokerDelivery] = []
        try await consumer.run { batches in
          for await batch in batches {
            received += batch
            consumer.acknowledge(batch)
            if received.count == 200 { return }
          }
        }
        return received
      }
      #expect(received.contains { $0.message.body == body })
    }

    @Test func `TLS refuses a certificate of another authority`() async throws {
      let error = try await failure(try tlsURL("localhost")) { $0.caFile = broker.certificates.foreignAuthorityFile }
      #expect(error?.code == .tls)
      #expect(error?.isTransient == false)
      #expect(error.map { "\($0)".contains("certificate") } == true)
    }

    @Test func `TLS refuses a certificate for another host`() async throws {
      let error = try await failure(try tlsURL("127.0.0.1")) {
        $0.caFile = broker.certificates.server.authorityFile
      }
      #expect(error?.code == .tls)
    }

    @Test func `TLS trusts the system's authorities unless told otherwise, and no missing file`() async throws {
      #expect(try await failure(try tlsURL("localhost"))?.code == .tls)
      let error = try await failure(try tlsURL("localhost")) { $0.caFile = "/nonexistent.pem" }
      #expect(error?.code == .tls)
      #expect(error.map { "\($0)".contains("/nonexistent.pem") } == true)
    }
  }
}
