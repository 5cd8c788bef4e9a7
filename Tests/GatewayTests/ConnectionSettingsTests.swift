import Authentication
import TestSupport
import Testing

/// Each setting of connections, seen by clients of the server that is built of it. What is not tested is set so long that
/// the test would not end by it.
@Suite(.timeLimit(.minutes(1))) struct ConnectionSettingsTests {
  private static let health = "GET /health/live HTTP/1.1\r\nHost: belfry\r\n"

  /// Without a database and a broker; `body` gets the gateway's port and that of its health.
  private func withGateway(_ variables: [String: String], _ body: (Int, Int) async throws -> Void) async throws {
    let patient = [
      "BELFRY_GATEWAY_HEADER_TIMEOUT": "5min", "BELFRY_GATEWAY_BODY_TIMEOUT": "5min",
      "BELFRY_GATEWAY_IDLE_TIMEOUT": "1h",
    ]
    try await RunningGateway.with(patient.merging(variables) { $1 }, body)
  }

  /// What a client gets that asks for nothing else; `asked` is called when its question is on the way.
  private func ask(_ port: Int, asked: () -> Void = {}) async throws -> String {
    try await RawClient.with(port: port) { client in
      try await client.send("\(Self.health)Connection: close\r\n\r\n")
      asked()
      return await client.untilClosed()
    }
  }

  @Test func `who sends no header is closed after gateway.headerTimeout`() async throws {
    try await withGateway(["BELFRY_GATEWAY_HEADER_TIMEOUT": "1s"]) { port, _ in
      let answer = try await RawClient.with(port: port) { await $0.untilClosed() }
      #expect(answer == "")
    }
  }

  @Test func `who sends half a body is closed after gateway.bodyTimeout`() async throws {
    let token = try TokenMinter.mint(secret: TestGateway.secret, subject: "shop", roles: [.service])
    try await withGateway(["BELFRY_GATEWAY_BODY_TIMEOUT": "1s"]) { port, _ in
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
    try await withGateway(["BELFRY_GATEWAY_IDLE_TIMEOUT": "1s"]) { port, _ in
      let answer = try await RawClient.with(port: port) { client in
        try await client.send("\(Self.health)\r\n")
        return await client.untilClosed()
      }
      #expect(answer.hasPrefix("HTTP/1.1 200 OK"))
    }
  }

  /// So that a balancer has seen it before anybody is turned away.
  @Test func `a gateway that is to stop says so, and takes new clients until gateway.stopDelay is over`() async throws {
    try await RunningGateway.with(["BELFRY_GATEWAY_STOP_DELAY": "3s"]) { port, healthPort in
      for port in [port, healthPort] {
        let before = try await readiness(port)
        #expect(before.hasPrefix("HTTP/1.1 503") && !before.contains("not shutting down"))
      }
    } whileStopping: { port, healthPort in
      for port in [port, healthPort] {
        while try await !readiness(port).contains("not shutting down") {}
      }
      #expect(try await ask(port).hasPrefix("HTTP/1.1 200 OK"))
    }
  }

  private func readiness(_ port: Int) async throws -> String {
    try await RawClient.with(port: port) { client in
      try await client.send("GET /health/ready HTTP/1.1\r\nHost: belfry\r\nConnection: close\r\n\r\n")
      return await client.untilClosed()
    }
  }

  @Test func `who has gateway.maximumConnectionsPerAddress gets no other`() async throws {
    try await withGateway(["BELFRY_GATEWAY_MAXIMUM_CONNECTIONS_PER_ADDRESS": "1"]) { port, _ in
      try await RawClient.holding(port: port, path: "/health/live", until: "}") {
        let refused = try await RawClient.with(port: port) { await $0.untilClosed() }
        #expect(refused == "")
      }
    }
  }

  @Test func `who comes when gateway.maximumConnections are open waits until one has ended`() async throws {
    try await withGateway(["BELFRY_GATEWAY_MAXIMUM_CONNECTIONS": "1"]) { port, healthPort in
      let (events, event) = AsyncStream.makeStream(of: String.self)
      try await withThrowingTaskGroup(of: Void.self) { group in
        try await RawClient.holding(port: port, path: "/health/live", until: "}") {
          group.addTask {
            defer { event.finish() }
            let answer = try await ask(port) { event.yield("asked") }
            event.yield("answered")
            #expect(answer.hasPrefix("HTTP/1.1 200 OK"))
          }
          for await _ in events { break }
          // Whoever were let in would be answered within these.
          for _ in 0..<20 { _ = try await ask(healthPort) }
          event.yield("released")
        }
        try await group.waitForAll()
      }
      #expect(await events.reduce(into: []) { $0.append($1) } == ["released", "answered"])
    }
  }

  @Test func `who says nothing and has gateway.maximumConnections leaves health.port to probes`() async throws {
    try await withGateway(["BELFRY_GATEWAY_MAXIMUM_CONNECTIONS": "1"]) { port, healthPort in
      try await RawClient.with(port: port) { _ in
        let answer = try await ask(healthPort)
        #expect(answer.hasPrefix("HTTP/1.1 200 OK"))
      }
    }
  }
}
