import Hummingbird
import NIOCore
import Synchronization
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

  /// Until the server has closed a connection that says nothing: after the header's time, by its own clock.
  private func silence(at port: Int) async throws {
    _ = try await RawClient.with(port: port) { await $0.untilClosed() }
  }

  /// Until the server has answered somebody else.
  private func question(to port: Int) async throws {
    _ = try await RawClient.with(port: port) { client in
      try await client.send("GET / HTTP/1.1\r\nHost: belfry\r\nConnection: close\r\n\r\n")
      return await client.untilClosed()
    }
  }

  /// Until the server has given up on somebody who asks for this and takes nothing of it.
  private func refusal(of path: String, at port: Int, _ cut: AsyncStream<Void>) async throws {
    try await RawClient.with(port: port, receiveBuffer: 32_768) { client in
      try await client.send("GET \(path) HTTP/1.1\r\nHost: belfry\r\n\r\n")
      for await _ in cut { break }
    }
  }

  /// An answer without an end; reports when it is given up.
  private func addEndless(to router: Router<BasicRequestContext>, _ cut: AsyncStream<Void>.Continuation) {
    router.get("/endless") { _, _ in
      let part = ByteBuffer(repeating: 1, count: 65_536)
      return Response(
        status: .ok,
        body: .init { writer in
          defer { cut.yield() }
          while true { try await writer.write(part) }
        }
      )
    }
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
    try await TestServer.with(limits { $0.bodyTimeout = .milliseconds(300) }) { port in
      let answer = try await RawClient.with(port: port) { client in
        try await client.send("POST / HTTP/1.1\r\nHost: belfry\r\nContent-Length: 100000\r\n\r\n")
        async let answer = client.untilClosed()
        do {
          for _ in 0..<100_000 {
            try await client.send("a")
            try await question(to: port)
          }
          Issue.record("the connection outlives a hundred thousand others")
        } catch {
          // Closed, as it should be.
        }
        return await answer
      }
      #expect(!answer.contains("200 OK"))
    }
  }

  @Test func `an answer that is read steadily, but slowly, is read to its end`() async throws {
    let slow = limits { $0.bodyTimeout = .seconds(1) }
    // Another server, whose patience is the reader's clock.
    let clock = limits { $0.headerTimeout = .milliseconds(50) }
    // Written at once, so the channel is not writable from the first byte to the last 32 KiB, which come after everything:
    // nothing but what the client's kernel acknowledges shows progress.
    let large = ByteBuffer(repeating: 1, count: 16 << 20)
    let (cuts, cut) = AsyncStream.makeStream(of: Void.self)
    let add: (Router<BasicRequestContext>) -> Void = { router in
      router.get("/large") { _, _ in large }
      addEndless(to: router, cut)
    }
    try await TestServer.with(clock) { clock in
      try await TestServer.with(slow, routes: add) { port in
        let isOutlived = Atomic(false)
        async let others: Void = {
          // With the same patience, one after the other: the second begins when the reader has long begun.
          for _ in 0..<2 { try await refusal(of: "/endless", at: port, cuts) }
          isOutlived.store(true, ordering: .relaxed)
        }()
        let read = try await RawClient.with(port: port, receiveBuffer: 32_768) { client in
          try await client.send("GET /large HTTP/1.1\r\nHost: belfry\r\nConnection: close\r\n\r\n")
          return await client.countUntilClosed(step: 65_536) {
            guard !isOutlived.load(ordering: .relaxed) else { return }
            do { try await silence(at: clock) } catch { Issue.record(error) }
          }
        }
        try await others
        #expect(read > large.readableBytes)
      }
    }
  }

  @Test func `who takes nothing of an answer is cut`() async throws {
    let (cuts, cut) = AsyncStream.makeStream(of: Void.self)
    let patience = limits { $0.bodyTimeout = .milliseconds(200) }
    try await TestServer.with(patience, routes: { addEndless(to: $0, cut) }) { port in
      try await refusal(of: "/endless", at: port, cuts)
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
            // Refused as long as it has not heard, which may be before anything is sent.
            await client.answer(to: "GET / HTTP/1.1\r\nHost: belfry\r\nConnection: close\r\n\r\n")
          }
        }
        #expect(answer.hasSuffix("here"))
      }
    }
  }

  @Test func `sockets that say nothing take every connection, but neither for long nor from health`() async throws {
    let full = limits {
      $0.maximumConnections = 3
      $0.headerTimeout = .seconds(2)
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
