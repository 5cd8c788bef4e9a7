import Glibc
import LocalStack
import Synchronization
import TestSupport
import Testing

@testable import Transport

/// Follows a server that changes what it takes, says why it goes, or falls silent.
extension HTTP2ClientTests {
  private func patient(
    _ server: OddHTTP2Server,
    onGoodbye: (@Sendable (HTTP2Goodbye) -> Void)? = nil
  ) throws -> HTTP2Client {
    var configuration = HTTPClientConfiguration()
    configuration.caFile = server.directory.certificate
    configuration.awaitsSettings = true
    return try HTTP2Client(origin: server.url, configuration: configuration, logger: .quiet, onGoodbye: onGoodbye)
  }

  /// Sends them all at once.
  private func statuses(_ client: HTTP2Client, _ urls: [String]) async throws -> [Int: Int] {
    try await withThrowingTaskGroup { group in
      for url in urls { group.addTask { try await client.send(HTTPRequest(url: url)).status } }
      return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
  }

  @Test func `a server that takes one request at first gets one, and many as soon as it says so`() async throws {
    try await OddHTTP2Server.with(["--strict"]) { server in
      let client = try patient(server)
      let urls = [String](repeating: "\(server.url)/ok", count: 300)
      #expect(try await statuses(client, urls) == [200: 300])
      await client.close()
      let log = try server.log()
      #expect(!log.contains("violated"), "\(log)")
      #expect(log.contains("limit 100"))
    }
  }

  @Test func `a server that takes fewer after each refusal is followed down and up, and all are answered`() async throws
  {
    try await OddHTTP2Server.with(["--strict"]) { server in
      let client = try patient(server)
      let urls = (0..<500).map { "\(server.url)/\($0.isMultiple(of: 10) ? "reject" : "ok")" }
      #expect(try await statuses(client, urls) == [200: 450, 400: 50])
      await client.close()
      let log = try server.log()
      #expect(!log.contains("violated"), "\(log)")
      #expect(log.contains("limit 1\n") && log.contains("limit 100\n"))
      #expect(log.split(separator: "\n").count { $0.hasPrefix("connection") } <= 2)
    }
  }

  @Test func `what a server has no room for is sent again, once, over the same connection`() async throws {
    try await OddHTTP2Server.with { server in
      let client = try patient(server)
      #expect(try await client.send(HTTPRequest(url: "\(server.url)/refuse-1")).status == 200)
      for _ in 0..<2 {
        let refused = await error { try await client.send(HTTPRequest(url: "\(server.url)/refuse")) }
        #expect(refused?.code == .connectionLost && refused?.mayHaveBeenProcessed == false)
      }
      #expect(try await client.send(HTTPRequest(url: "\(server.url)/ok")).status == 200)
      await client.close()
      let log = try server.log().split(separator: "\n")
      #expect(log.count { $0 == "request 1 /refuse-1" } == 2)
      #expect(log.count { $0 == "request 1 /refuse" } == 4)
      #expect(log.count { $0.hasPrefix("connection") } == 1)
    }
  }

  @Test func `what a server says with its goodbye is heard, as far as it is bounded, and the request goes elsewhere`()
    async throws
  {
    try await OddHTTP2Server.with { server in
      let heard = Mutex<[HTTP2Goodbye]>([])
      let client = try patient(server) { goodbye in heard.withLock { $0.append(goodbye) } }
      #expect(try await client.send(HTTPRequest(url: "\(server.url)/reason")).status == 200)
      await client.close()
      let goodbyes = heard.withLock(\.self)
      #expect(goodbyes.map(\.code) == [2])
      let text = try #require(goodbyes.first?.text)
      #expect(text.hasPrefix(#"{"reason":"BadCertificate"}"#) && text.utf8.count == 1_024)
    }
  }

  @Test func `headers of one request alone are sent, and stay out of the connection's table`() async throws {
    try await OddHTTP2Server.with { server in
      let client = try patient(server)
      for number in 1...3 {
        let request = HTTPRequest(
          url: "\(server.url)/ok",
          headers: [("X-Shared", "same")],
          ownHeaders: [("X-Own", "\(number)")]
        )
        #expect(try await client.send(request).status == 200)
      }
      await client.close()
      let log = try server.log()
      #expect(log.split(separator: "\n").count { $0 == "never indexed x-own" } == 3)
      #expect(!log.contains("never indexed x-shared"))
      let wrong = HTTPRequest(url: "\(server.url)/ok", ownHeaders: [("X-Own", "a\nb")])
      let refused = await error { try await self.patient(server).send(wrong) }
      #expect(refused?.code == .invalidRequest("header X-Own"))
    }
  }

  @Test func `a connection on which nothing comes is asked for a sign of life, and stays`() async throws {
    try await HTTP2Server.with { server in
      let client = try client(server) {
        $0.pingAfter = .milliseconds(50)
        $0.timeout = .seconds(20)
      }
      #expect(try await client.send(HTTPRequest(url: "\(server.url)/file")).status == 200)
      try await eventually("the server was asked twice") {
        try server.log().split(separator: "\n").count { $0.contains("recv PING frame") } >= 2
      }
      #expect(try await client.send(HTTPRequest(url: "\(server.url)/file")).status == 200)
      await client.close()
      #expect(try server.connectionsUsed() == 1)
    }
  }

  @Test func `a connection that gives no sign of life is dropped before somebody needs it`() async throws {
    try await HTTP2Server.with { server in
      let client = try client(server) {
        $0.pingAfter = .milliseconds(50)
        $0.timeout = .milliseconds(500)
      }
      let request = HTTPRequest(url: "\(server.url)/file", timeout: .seconds(20))
      #expect(try await client.send(request).status == 200)
      server.process.signal(SIGSTOP)
      try await eventually("the connection is dropped") { try Sockets.open(to: server.port) == 0 }
      server.process.signal(SIGCONT)
      #expect(try await client.send(request).status == 200)
      await client.close()
      #expect(try server.connectionsUsed() == 2)
    }
  }

  @Test func `a connection is replaced without the loss of what is in flight, and only that one`() async throws {
    try await HTTP2Server.with { server in
      let client = try client(server) { $0.maximumConnectionsPerHost = 1 }
      let url = "\(server.url)/file"
      let first = try await client.send(HTTPRequest(url: url))
      #expect(first.status == 200 && first.connection != nil)
      async let flying = statuses(client, [String](repeating: url, count: 50))
      client.replaceConnection(of: first)
      #expect(try await flying == [200: 50])
      // A late answer of the first says nothing of the one that has its place.
      client.replaceConnection(of: first)
      let last = try await client.send(HTTPRequest(url: url))
      #expect(last.status == 200 && last.connection != first.connection)
      await client.close()
      #expect(try server.connectionsUsed() == 2)
    }
  }
}
