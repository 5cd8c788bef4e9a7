import Authentication
import Gateway
import LocalStack
import ServiceLifecycle
import Settings
import TestSupport
import Testing

/// Each setting of connections, seen by clients of the server that is built of it. What is not tested is set so long that
/// the test would not end by it.
@Suite(.timeLimit(.minutes(1))) struct ConnectionSettingsTests {
  private static let health = "GET /health/live HTTP/1.1\r\nHost: belfry\r\n"

  /// Runs a whole gateway with these settings, without a database and a broker; `body` is told its port.
  private func withGateway(_ variables: [String: String], _ body: (Int) async throws -> Void) async throws {
    let port = try FreePort.find()
    let others = [
      "BELFRY_GATEWAY_PORT": "\(port)", "BELFRY_GATEWAY_HEADER_TIMEOUT": "5min", "BELFRY_GATEWAY_BODY_TIMEOUT": "5min",
      "BELFRY_GATEWAY_IDLE_TIMEOUT": "1h", "BELFRY_DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none",
      "BELFRY_BROKER_URL": "amqp://127.0.0.1:1/", "BELFRY_AUTH_SECRET": TestGateway.secret,
    ]
    let settings = Settings(variables: others.merging(variables) { $1 })
    let configuration = GatewayConfiguration(settings)
    try settings.validate()
    let log = LogRecorder()
    let services = ServiceGroup(
      configuration: .init(
        services: try await Gateway.build(configuration, logger: log.logger).map { .init(service: $0) },
        logger: .quiet
      )
    )
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await services.run() }
      while !log.all.contains(where: { $0.text.contains("listening on") }) {
        try await Task.sleep(for: .milliseconds(10))
      }
      try await body(port)
      await services.triggerGracefulShutdown()
      try await group.waitForAll()
    }
  }

  @Test func `who sends no header is closed after gateway.headerTimeout`() async throws {
    try await withGateway(["BELFRY_GATEWAY_HEADER_TIMEOUT": "1s"]) { port in
      let answer = try await RawClient.with(port: port) { await $0.untilClosed() }
      #expect(answer == "")
    }
  }

  @Test func `who sends half a body is closed after gateway.bodyTimeout`() async throws {
    let token = try await TokenMinter.mint(secret: TestGateway.secret, subject: "shop", roles: [.service])
    try await withGateway(["BELFRY_GATEWAY_BODY_TIMEOUT": "1s"]) { port in
      let answer = try await RawClient.with(port: port) { client in
        try await client.send("POST /api/v1/notifications HTTP/1.1\r\nHost: belfry\r\n")
        try await client.send("Authorization: Bearer \(token)\r\nContent-Type: application/json\r\n")
        try await client.send("Content-Length: 100\r\n\r\n{")
        return await client.untilClosed()
      }
      #expect(!answer.contains("HTTP/1.1 2"))
      #expect(!answer.contains("HTTP/1.1 401"))
    }
  }

  @Test func `who asks nothing more is closed after gateway.idleTimeout`() async throws {
    try await withGateway(["BELFRY_GATEWAY_IDLE_TIMEOUT": "1s"]) { port in
      let answer = try await RawClient.with(port: port) { client in
        try await client.send("\(Self.health)\r\n")
        return await client.untilClosed()
      }
      #expect(answer.hasPrefix("HTTP/1.1 200 OK"))
    }
  }

  @Test func `who has gateway.maximumConnectionsPerAddress gets no other`() async throws {
    try await withGateway(["BELFRY_GATEWAY_MAXIMUM_CONNECTIONS_PER_ADDRESS": "1"]) { port in
      try await RawClient.holding(port: port, path: "/health/live", until: "}") {
        let refused = try await RawClient.with(port: port) { await $0.untilClosed() }
        #expect(refused == "")
      }
    }
  }

  @Test func `who comes when gateway.maximumConnections are open waits until one has ended`() async throws {
    let settings = ["BELFRY_GATEWAY_MAXIMUM_CONNECTIONS": "1", "BELFRY_GATEWAY_IDLE_TIMEOUT": "2s"]
    try await withGateway(settings) { port in
      try await RawClient.holding(port: port, path: "/health/live", until: "}") {
        let start = ContinuousClock.now
        let answer = try await RawClient.with(port: port) { client in
          try await client.send("\(Self.health)Connection: close\r\n\r\n")
          return await client.untilClosed()
        }
        #expect(answer.hasPrefix("HTTP/1.1 200 OK"))
        #expect(ContinuousClock.now - start > .seconds(1))
      }
    }
  }
}
