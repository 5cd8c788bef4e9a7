import Hummingbird
import NIOCore
import TestSupport
import Testing

@testable import ServiceRuntime

/// Over real sockets. Each test ends when the server closes; without a limit it would not end.
@Suite(.timeLimit(.minutes(1))) struct ConnectionLimitTests {
  private func limits(_ adjust: (inout ConnectionLimits) -> Void) -> ConnectionLimits {
    var limits = TestServer.patient
    adjust(&limits)
    return limits
  }

  /// As long as the server bears with a connection that says nothing.
  private func someTime(of port: Int) async throws {
    _ = try await RawClient.with(port: port) { await $0.untilClosed() }
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

  @Test func `a body that comes steadily, but too slowly, is closed after its time`() async throws {
    let slow = limits {
      $0.bodyTimeout = .milliseconds(500)
      $0.headerTimeout = .milliseconds(50)
    }
    try await TestServer.with(slow) { port in
      let answer = try await RawClient.with(port: port) { client in
        try await client.send("POST / HTTP/1.1\r\nHost: belfry\r\nContent-Length: 1000\r\n\r\n")
        async let answer = client.untilClosed()
        do {
          for _ in 0..<1_000 {
            try await client.send("a")
            try await someTime(of: port)
          }
          Issue.record("the connection outlives a minute of a body")
        } catch {
          // Closed, as it should be.
        }
        return await answer
      }
      #expect(!answer.contains("200 OK"))
    }
  }

  @Test func `an answer that is read steadily, but slowly, is read to its end`() async throws {
    let slow = limits {
      $0.bodyTimeout = .seconds(2)
      $0.headerTimeout = .milliseconds(100)
    }
    let large = ByteBuffer(repeating: 1, count: 16 << 20)
    let add: (Router<BasicRequestContext>) -> Void = { $0.get("/large") { _, _ in large } }
    try await TestServer.with(slow, routes: add) { port in
      let read = try await RawClient.with(port: port, receiveBuffer: 32_768) { client in
        try await client.send("GET /large HTTP/1.1\r\nHost: belfry\r\nConnection: close\r\n\r\n")
        let start = ContinuousClock.now
        return await client.countUntilClosed(step: 131_072) {
          guard ContinuousClock.now - start < slow.bodyTimeout * 3 else { return }
          do { try await someTime(of: port) } catch { Issue.record(error) }
        }
      }
      #expect(read > large.readableBytes)
    }
  }

  @Test func `who takes nothing of an answer is cut`() async throws {
    let (ends, ended) = AsyncStream.makeStream(of: Void.self)
    let add: (Router<BasicRequestContext>) -> Void = { router in
      router.get("/endless") { _, _ in
        let part = ByteBuffer(repeating: 1, count: 65_536)
        return Response(
          status: .ok,
          body: .init { writer in
            defer { ended.yield() }
            while true { try await writer.write(part) }
          }
        )
      }
    }
    try await TestServer.with(limits { $0.bodyTimeout = .milliseconds(200) }, routes: add) { port in
      try await RawClient.with(port: port, receiveBuffer: 32_768) { client in
        try await client.send("GET /endless HTTP/1.1\r\nHost: belfry\r\n\r\n")
        for await _ in ends { break }
      }
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
