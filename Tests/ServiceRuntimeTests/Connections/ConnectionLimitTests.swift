import Testing

@testable import ServiceRuntime

/// Over real sockets. Each test ends when the server closes; without a limit it would not end.
@Suite(.timeLimit(.minutes(1))) struct ConnectionLimitTests {
  private func limits(_ adjust: (inout ConnectionLimits) -> Void) -> ConnectionLimits {
    var limits = TestServer.patient
    adjust(&limits)
    return limits
  }

  @Test func `who says nothing is closed after the header's time`() async throws {
    try await TestServer.with(limits { $0.headerTimeout = .milliseconds(100) }) { port in
      let answer = try await RawClient.with(port: port) { await $0.untilClosed() }
      #expect(answer == "")
    }
  }

  @Test func `half a header is closed after its time, however it trickles`() async throws {
    try await TestServer.with(limits { $0.headerTimeout = .milliseconds(300) }) { port in
      let answer = try await RawClient.with(port: port) { client in
        try await client.send("GET / HTTP/1.1\r\nHost: belfry\r\nX-Slow: ")
        async let answer = client.untilClosed()
        do {
          for _ in 0..<1_000 {
            try await client.send("a")
            try await Task.sleep(for: .milliseconds(20))
          }
          Issue.record("the connection outlives twenty seconds of a header")
        } catch {
          // Closed, as it should be.
        }
        return await answer
      }
      #expect(!answer.contains("here"))
    }
  }

  @Test func `half a body is closed after its time`() async throws {
    try await TestServer.with(limits { $0.bodyTimeout = .milliseconds(100) }) { port in
      let answer = try await RawClient.with(port: port) { client in
        try await client.send("POST / HTTP/1.1\r\nHost: belfry\r\nContent-Length: 10\r\n\r\n12345")
        return await client.untilClosed()
      }
      #expect(!answer.contains("200 OK"))
    }
  }

  @Test func `a connection that has been answered is closed when it is idle`() async throws {
    try await TestServer.with(limits { $0.idleTimeout = .milliseconds(100) }) { port in
      let answer = try await RawClient.with(port: port) { client in
        try await client.send("GET / HTTP/1.1\r\nHost: belfry\r\n\r\nGET / HTTP/1.1\r\nHost: belfry\r\n\r\n")
        return await client.untilClosed()
      }
      #expect(answer.ranges(of: "200 OK").count == 2)
    }
  }

  @Test func `an address that has as many connections as it may gets no other`() async throws {
    try await TestServer.with(limits { $0.maximumPerAddress = 2 }) { port in
      try await RawClient.holding(port: port) {
        try await RawClient.holding(port: port) {
          let refused = try await RawClient.with(port: port) { await $0.untilClosed() }
          #expect(refused == "")
        }
        // One has gone: its place is free, as soon as the server has heard of it.
        var answer = ""
        while answer.isEmpty {
          answer = try await RawClient.with(port: port) { client in
            try await client.send("GET / HTTP/1.1\r\nHost: belfry\r\nConnection: close\r\n\r\n")
            return await client.untilClosed()
          }
        }
        #expect(answer.hasSuffix("here"))
      }
    }
  }

  @Test func `sockets that say nothing take every connection, but neither for long nor from health`() async throws {
    let full = limits {
      $0.maximumConnections = 3
      $0.headerTimeout = .milliseconds(500)
    }
    let get = "GET /health/live HTTP/1.1\r\nHost: belfry\r\nConnection: close\r\n\r\n"
    try await TestServer.with(full) { port in
      let health = HealthServer(
        configuration: HealthConfiguration(host: "127.0.0.1", port: 0),
        checks: HealthChecks(),
        logger: .quiet
      )
      try await TestServer.run({ healthPort in
        try await withThrowingTaskGroup(of: String.self) { group in
          for _ in 0..<4 { group.addTask { try await RawClient.with(port: port) { await $0.untilClosed() } } }
          let live = try await RawClient.with(port: healthPort) { client in
            try await client.send(get)
            return await client.untilClosed()
          }
          #expect(live.contains("200 OK"))
          let served = try await RawClient.with(port: port) { client in
            try await client.send("GET / HTTP/1.1\r\nHost: belfry\r\nConnection: close\r\n\r\n")
            return await client.untilClosed()
          }
          #expect(served.hasSuffix("here"))
          try await group.waitForAll()
        }
      }) { health.application(onServerRunning: $0) }
    }
  }

  @Test func `the health port closes who says nothing, too`() async throws {
    let health = HealthServer(
      configuration: HealthConfiguration(host: "127.0.0.1", port: 0),
      checks: HealthChecks(),
      logger: .quiet
    )
    var short = ConnectionLimits.probes
    short.headerTimeout = .milliseconds(100)
    try await TestServer.run({ port in
      let answer = try await RawClient.with(port: port) { await $0.untilClosed() }
      #expect(answer == "")
    }) { [short] in health.application(within: short, onServerRunning: $0) }
  }
}
