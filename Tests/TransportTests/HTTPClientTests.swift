import Foundation
import Glibc
import LocalStack
import Logging
import TestSupport
import Testing
import Transport

@Suite(.serialized, .timeLimit(.minutes(2))) struct HTTPClientTests {
  func client(
    _ server: HTTP2Server? = nil,
    _ change: (inout HTTPClientConfiguration) -> Void = { _ in }
  ) -> HTTPClient {
    var configuration = HTTPClientConfiguration()
    configuration.caFile = server?.directory.certificate
    change(&configuration)
    return HTTPClient(configuration: configuration, logger: Logger(label: "test"))
  }

  private func post(_ body: String, to server: HTTP2Server) -> HTTPRequest {
    HTTPRequest(method: "POST", url: "\(server.url)/echo", headers: [("X-Test", body)], body: Array(body.utf8))
  }

  func error(_ work: () async throws -> HTTPResponse) async -> TransportError? {
    await #expect(throws: TransportError.self) { _ = try await work() }
  }

  @Test func `600 callers share two connections and each gets its own answer`() async throws {
    try await HTTP2Server.with { server in
      let client = client(server)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<600 {
          group.addTask {
            let response = try await client.send(post("caller \(number)", to: server))
            #expect(response.status == 200)
            #expect(response.httpVersion == "2")
            #expect(String(decoding: response.body, as: UTF8.self) == "caller \(number)")
          }
        }
        try await group.waitForAll()
      }
      await client.close()
      #expect(try (1...2).contains(server.connectionsUsed()))
    }
  }

  @Test func `any status is an answer, and headers are found in any case`() async throws {
    try await HTTP2Server.with { server in
      let client = client(server)
      let missing = try await client.send(HTTPRequest(url: "\(server.url)/nothing"))
      #expect(missing.status == 404)
      let file = try await client.send(HTTPRequest(url: "\(server.url)/file"))
      #expect(file.body.count == 100_000)
      #expect(file.headers.first("CONTENT-length") == "100000")
      #expect(file.headers.first("content") == nil)
      #expect(file.headers.all.filter { $0.name.lowercased() == "content-length" }.map(\.value) == ["100000"])
      let head = try await client.send(HTTPRequest(method: "HEAD", url: "\(server.url)/file"))
      #expect(head.status == 200)
      #expect(head.headers.first("content-length") == "100000")
      #expect(head.body.isEmpty)
      let put = try await client.send(HTTPRequest(method: "PUT", url: "\(server.url)/x", body: Array("put".utf8)))
      #expect(put.body == Array("put".utf8))
      #expect(try server.log().contains(":method: PUT"))
      await client.close()
    }
  }

  @Test func `a large answer is handed on in pieces, as far as it is wanted, and what is no 2xx is collected`()
    async throws
  {
    try await HTTP2Server.with { server in
      let client = client { $0.maximumResponseBody = 1_000 }
      let trusting = self.client(server) { $0.maximumResponseBody = 1_000 }
      let file = HTTPRequest(url: "\(server.url)/file")
      #expect(await error { try await trusting.send(file) }?.code == .tooLarge)
      var (count, pieces) = (0, 0)
      let whole = try await trusting.download(file) { piece in
        count += piece.count
        pieces += 1
        return true
      }
      #expect(whole.status == 200 && whole.body.isEmpty && count == 100_000 && pieces > 1)
      count = 0
      _ = try await trusting.download(file) { piece in
        count += piece.count
        return false
      }
      #expect((1..<100_000).contains(count))
      struct Enough: Error {}
      await #expect(throws: Enough.self) { _ = try await trusting.download(file) { _ in throw Enough() } }
      let missing = try await trusting.download(HTTPRequest(url: "\(server.url)/nothing")) { _ in
        Issue.record("nothing is to be handed on")
        return true
      }
      #expect(missing.status == 404)
      #expect(await error { try await client.download(file) { _ in true } }?.code == .tls)
      await client.close()
      await trusting.close()
    }
  }

  @Test func `only the headers given are sent`() async throws {
    try await HTTP2Server.with { server in
      let client = client(server)
      _ = try await client.send(
        HTTPRequest(
          method: "POST",
          url: "\(server.url)/echo",
          headers: [("X-Empty", ""), ("X-Text", "Grüße")],
          body: [1]
        )
      )
      await client.close()
      let log = try server.log()
      #expect(log.contains("x-empty: \n"))
      #expect(log.contains("x-text: Grüße\n"))
      #expect(!log.contains("accept:"))
      #expect(!log.contains("expect:"))
      #expect(!log.contains("content-type: application/x-www-form-urlencoded"))
    }
  }

  @Test func `a certificate of an unknown authority is refused`() async throws {
    try await HTTP2Server.with { server in
      try await server.directory.makeCertificate(named: "other-")
      let wrong = client { $0.caFile = server.directory.file("other-certificate.pem") }
      let refused = await error { try await wrong.send(post("secret", to: server)) }
      #expect(refused?.code == .tls)
      #expect(refused?.isTransient == false)
      #expect(refused?.mayHaveBeenProcessed == false)
      let system = client()
      let unknown = await error { try await system.send(post("secret", to: server)) }
      #expect(unknown?.code == .tls)
      await wrong.close()
      await system.close()
      #expect(try server.connectionsUsed() == 0)
    }
  }

  @Test func `a certificate for another host is refused`() async throws {
    try await HTTP2Server.with { server in
      let client = client(server)
      let refused = await error { try await client.send(HTTPRequest(url: "https://127.0.0.2:\(server.port)/file")) }
      #expect(refused?.code == .tls)
      await client.close()
    }
  }

  @Test func `a missing authority file fails the request and trusts nobody`() async throws {
    try await HTTP2Server.with { server in
      let client = client { $0.caFile = "/nonexistent.pem" }
      let refused = await error { try await client.send(post("secret", to: server)) }
      #expect(refused?.code == .tls)
      await client.close()
    }
  }

  @Test func `a cancelled caller is answered at once and the others keep their connection`() async throws {
    try await HTTP2Server.with { server in
      let client = client(server)
      _ = try await client.send(post("warm", to: server))
      server.process.signal(SIGSTOP)
      let others = (0..<20).map { number in
        Task { try await client.send(post("other \(number)", to: server)) }
      }
      let cancelled = Task { try await client.send(post("cancelled", to: server)) }
      cancelled.cancel()
      let error = await error { try await cancelled.value }
      #expect(error?.code == .cancelled)
      server.process.signal(SIGCONT)
      for (number, other) in others.enumerated() {
        #expect(try await other.value.body == Array("other \(number)".utf8))
      }
      await client.close()
      #expect(try server.connectionsUsed() == 1)
    }
  }

  @Test func `a server that accepts and never answers costs no more than the timeout, waiting callers included`()
    async throws
  {
    let silent = try TestPeer()
    let client = client {
      $0.timeout = .milliseconds(300)
      $0.maximumConnectionsPerHost = 1
    }
    let start = ContinuousClock.now
    await withTaskGroup(of: TransportError?.self) { group in
      for _ in 0..<20 {
        group.addTask { await error { try await client.send(HTTPRequest(url: "http://127.0.0.1:\(silent.port)/")) } }
      }
      for await error in group {
        #expect(error?.code == .timeout)
        #expect(error?.isTransient == true)
      }
    }
    #expect(ContinuousClock.now - start < .seconds(5))
    await client.close()
  }

  @Test func `a TLS handshake that is never answered ends with the connect timeout`() async throws {
    let silent = try TestPeer()
    let client = client { $0.connectTimeout = .milliseconds(200) }
    let error = await error { try await client.send(HTTPRequest(url: "https://127.0.0.1:\(silent.port)/")) }
    #expect(error?.code == .timeout)
    #expect(error?.mayHaveBeenProcessed == false)
    await client.close()
  }

  @Test func `nobody listening is a transient error`() async throws {
    let port = try FreePort.find()
    let client = client()
    let error = await error { try await client.send(HTTPRequest(url: "http://127.0.0.1:\(port)/")) }
    #expect(error?.code == .cannotConnect)
    #expect(error?.isTransient == true)
    await client.close()
  }

  @Test(arguments: ["HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf", "HTTP/1.1 200 OK\r\nContent-Le", ""])
  func `an answer cut short is a lost connection, not a success`(answer: String) async throws {
    let peer = try TestPeer()
    let client = client()
    let request = Task {
      try await client.send(HTTPRequest(method: "POST", url: "http://127.0.0.1:\(peer.port)/", body: [1]))
    }
    try peer.answerNext(answer)
    let error = await error { try await request.value }
    #expect(error?.code == .connectionLost)
    #expect(error?.mayHaveBeenProcessed == true)
    await client.close()
  }

  @Test func `beyond the bound callers are refused, and a place is free again when one has left`() async throws {
    try await HTTP2Server.with { server in
      let client = client(server) {
        $0.maximumConnectionsPerHost = 1
        $0.maximumStreamsPerConnection = 1
        $0.maximumWaiting = 1
      }
      _ = try await client.send(post("warm", to: server))
      server.process.signal(SIGSTOP)
      let outcomes = await withTaskGroup(of: TransportError.Code?.self) { group in
        for number in 0..<5 {
          group.addTask {
            do throws(TransportError) {
              _ = try await client.send(post("\(number)", to: server))
              return nil
            } catch {
              return error.code
            }
          }
        }
        var outcomes: [TransportError.Code?] = []
        while outcomes.count < 3, let outcome = await group.next() { outcomes.append(outcome) }
        server.process.signal(SIGCONT)
        for await outcome in group { outcomes.append(outcome) }
        return outcomes
      }
      #expect(outcomes.count { $0 == .overloaded } == 3)
      #expect(outcomes.count { $0 == nil } == 2)
      #expect(try await client.send(post("free", to: server)).status == 200)
      await client.close()
    }
  }

  @Test func `an answer larger than allowed is stopped and the connection stays`() async throws {
    try await HTTP2Server.with { server in
      let client = client(server) { $0.maximumResponseBody = 50_000 }
      let error = await error { try await client.send(HTTPRequest(url: "\(server.url)/file")) }
      #expect(error?.code == .tooLarge)
      #expect(error?.isTransient == false)
      let next = try await client.send(post("next", to: server))
      #expect(next.status == 200)
      await client.close()
      #expect(try server.connectionsUsed() == 1)
    }
  }

  @Test func `what would break the request is refused before it is sent, and errors repeat no value`() async throws {
    let client = client()
    let url = "https://127.0.0.1:1/"
    let cases: [(HTTPRequest, String)] = [
      (HTTPRequest(url: url, headers: [("Authorization", "Bearer secret\r\nX: y")]), "header Authorization"),
      (HTTPRequest(url: url, headers: [("X-Null", "secret\0")]), "header X-Null"),
      (HTTPRequest(url: url, headers: [("X: secret", "y")]), "header name"),
      (HTTPRequest(method: "GET /secret", url: url), "method"), (HTTPRequest(url: "\(url)secret path"), "url"),
      (HTTPRequest(url: "file:///etc/secret"), "url"), (HTTPRequest(url: "https://secret:word@127.0.0.1:1/"), "url"),
      (HTTPRequest(url: "secret"), "url"),
    ]
    for (request, part) in cases {
      let error = await error { try await client.send(request) }
      #expect(error?.code == .invalidRequest(part))
      #expect(error?.isTransient == false)
      #expect(error.map { "\($0) \(String(reflecting: $0))".contains("secret") } == false)
    }
    await client.close()
  }

  @Test func `close ends the requests in flight and refuses new ones`() async throws {
    let silent = try TestPeer()
    let client = client()
    let request = HTTPRequest(url: "http://127.0.0.1:\(silent.port)/")
    let running = Task { try await client.send(request) }
    try await eventually("the request has arrived") { try Sockets.unreadBytes(at: silent.port) > 0 }
    await client.close()
    let ended = await error { try await running.value }
    #expect(ended?.code == .closed)
    #expect(ended?.isTransient == true)
    #expect(ended?.mayHaveBeenProcessed == true)
    let refused = await error { try await client.send(request) }
    #expect(refused?.code == .closed)
    #expect(refused?.mayHaveBeenProcessed == false)
  }
}
