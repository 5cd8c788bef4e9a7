import Hummingbird
import NIOCore
import TestSupport
import Testing

@testable import ServiceRuntime

/// Clients that stop halfway, send ahead, or are many. Each test ends when the server does what it is to do.
@Suite(.timeLimit(.minutes(1))) struct BrokenClientTests {
  private static let get = "GET / HTTP/1.1\r\nHost: belfry\r\nConnection: close\r\n\r\n"

  private func answer(at port: Int, to request: String = get) async throws -> String {
    try await RawClient.with(port: port) { client in await client.answer(to: request) }
  }

  @Test(arguments: ["G", "GET /", "GET / HTTP/1.", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost", "\r\n"])
  func `who ends in the middle of a head is closed after its time`(_ part: String) async throws {
    var short = TestServer.patient
    short.headerTimeout = .milliseconds(100)
    try await TestServer.with(short) { port in
      let answer = try await answer(at: port, to: part)
      #expect(!answer.contains("200 OK"))
    }
  }

  @Test func `a head that comes byte by byte, but in time, is answered`() async throws {
    try await TestServer.with(TestServer.patient) { port in
      let answer = try await RawClient.with(port: port) { client in
        for byte in Self.get { try await client.send(String(byte)) }
        return await client.untilClosed()
      }
      #expect(answer.hasSuffix("here"))
    }
  }

  @Test func `what is sent ahead is answered in order, however long the first one takes`() async throws {
    let (turns, turn) = AsyncStream.makeStream(of: Void.self)
    let add: (Router<BasicRequestContext>) -> Void = { router in
      router.get("/slow") { _, _ in
        for await _ in turns { break }
        return "slow"
      }
      router.get("/:name") { _, context in context.parameters.get("name") ?? "" }
    }
    try await TestServer.with(TestServer.patient, routes: add) { port in
      let answer = try await RawClient.with(port: port) { client in
        let paths = ["slow", "second", "third"]
        try await client.send(paths.map { "GET /\($0) HTTP/1.1\r\nHost: belfry\r\n\r\n" }.joined() + Self.get)
        // Others are served meanwhile.
        #expect(try await self.answer(at: port).hasSuffix("here"))
        turn.yield()
        return await client.untilClosed()
      }
      #expect(answer.ranges(of: "200 OK").count == 4)
      let bodies = answer.split(separator: "HTTP/1.1 200 OK").map { $0.split(separator: "\r\n\r\n").last ?? "" }
      #expect(bodies == ["slow", "second", "third", "here"])
    }
  }

  @Test func `who goes in the middle of a body leaves nothing behind`() async throws {
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    var single = TestServer.patient
    single.maximumPerAddress = 1
    let add: (Router<BasicRequestContext>) -> Void = { router in
      router.post("/upload") { request, _ in
        defer { end.yield() }
        var request = request
        return "\(try await request.collectBody(upTo: 1_000_000).readableBytes)"
      }
    }
    try await TestServer.with(single, routes: add) { port in
      try await RawClient.with(port: port) { client in
        try await client.send("POST /upload HTTP/1.1\r\nHost: belfry\r\nContent-Length: 100000\r\n\r\n12345")
      }
      // Whoever read the body has stopped.
      for await _ in ends { break }
      // And the one place is free, as soon as the server has heard of it.
      var answer = ""
      while answer.isEmpty { answer = try await self.answer(at: port) }
      #expect(answer.hasSuffix("here"))
    }
  }

  @Test(arguments: [
    "\u{0}\u{1}\u{2}\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  ])
  func `what is no request of ours is refused or closed, and others are served`(_ text: String) async throws {
    var short = TestServer.patient
    short.headerTimeout = .seconds(2)
    try await TestServer.with(short) { port in
      let refused = try await answer(at: port, to: text)
      #expect(!refused.contains("200 OK"))
      #expect(try await answer(at: port).hasSuffix("here"))
    }
  }

  @Test func `among many that say nothing, who asks is answered`() async throws {
    var many = TestServer.patient
    (many.maximumConnections, many.maximumPerAddress) = (400, 400)
    try await TestServer.with(many) { port in
      let gates = (0..<200).map { _ in AsyncStream.makeStream(of: Void.self) }
      let (connections, connected) = AsyncStream.makeStream(of: Void.self)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for gate in gates {
          group.addTask {
            defer { connected.yield() }
            try await RawClient.with(port: port) { _ in
              connected.yield()
              for await _ in gate.stream {}
            }
          }
        }
        var count = 0
        for await _ in connections {
          count += 1
          if count == gates.count { break }
        }
        for _ in 0..<20 { #expect(try await answer(at: port).hasSuffix("here")) }
        for gate in gates { gate.continuation.finish() }
        try await group.waitForAll()
      }
    }
  }
}
