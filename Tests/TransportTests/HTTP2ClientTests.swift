import Foundation
import Glibc
import LocalStack
import Logging
import TestSupport
import Testing
import Transport

@Suite(.serialized, .timeLimit(.minutes(2))) struct HTTP2ClientTests {
  func client(
    _ server: HTTP2Server? = nil,
    origin: String? = nil,
    _ change: (inout HTTPClientConfiguration) -> Void = { _ in }
  ) throws -> HTTP2Client {
    var configuration = HTTPClientConfiguration()
    configuration.caFile = server?.directory.certificate
    change(&configuration)
    return try HTTP2Client(
      origin: origin ?? server?.url ?? "https://127.0.0.1",
      configuration: configuration,
      logger: Logger(label: "test")
    )
  }

  private func post(_ body: String, to server: HTTP2Server) -> HTTPRequest {
    HTTPRequest(method: "POST", url: "\(server.url)/echo", headers: [("X-Test", body)], body: Array(body.utf8))
  }

  func error(_ work: () async throws -> HTTPResponse) async -> TransportError? {
    await #expect(throws: TransportError.self) { _ = try await work() }
  }

  @Test func `600 callers share two connections and each gets its own answer`() async throws {
    try await HTTP2Server.with { server in
      let client = try client(server)
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
      let client = try client(server)
      let missing = try await client.send(HTTPRequest(url: "\(server.url)/nothing"))
      #expect(missing.status == 404)
      let file = try await client.send(HTTPRequest(url: "\(server.url)/file"))
      #expect(file.body.count == 100_000)
      #expect(file.headers.first("CONTENT-length") == "100000")
      #expect(file.headers.first("content") == nil)
      let put = try await client.send(HTTPRequest(method: "PUT", url: "\(server.url)/x", body: Array("put".utf8)))
      #expect(put.body == Array("put".utf8))
      let large = [UInt8](repeating: 7, count: 300_000)
      #expect(try await client.send(HTTPRequest(method: "POST", url: "\(server.url)/x", body: large)).body == large)
      await client.close()
      let log = try server.log()
      #expect(log.contains(":method: PUT"))
      #expect(log.contains(":authority: 127.0.0.1:\(server.port)"))
      #expect(log.contains("content-length: 300000"))
    }
  }

  @Test func `only the headers given are sent, and the body's length`() async throws {
    try await HTTP2Server.with { server in
      let client = try client(server)
      let headers = [(name: "X-Empty", value: ""), (name: "X-Text", value: "Grüße")]
      for body in [[1], [1, 2], []] as [[UInt8]] {
        _ = try await client.send(
          HTTPRequest(method: "POST", url: "\(server.url)/echo", headers: headers, body: body)
        )
      }
      await client.close()
      let log = try server.log()
      #expect(log.contains("x-empty: \n"))
      #expect(log.contains("x-text: Grüße\n"))
      #expect(log.contains("content-length: 1\n"))
      #expect(log.contains("content-length: 2\n"))
      #expect(!log.contains("user-agent"))
    }
  }

  @Test func `a certificate of an unknown authority is refused`() async throws {
    try await HTTP2Server.with { server in
      try await server.directory.makeCertificate(named: "other-")
      let wrong = try client(origin: server.url) { $0.caFile = server.directory.file("other-certificate.pem") }
      let refused = await error { try await wrong.send(post("secret", to: server)) }
      #expect(refused?.code == .tls)
      #expect(refused?.isTransient == false)
      #expect(refused?.mayHaveBeenProcessed == false)
      let system = try client(origin: server.url)
      let unknown = await error { try await system.send(post("secret", to: server)) }
      #expect(unknown?.code == .tls)
      await wrong.close()
      await system.close()
      #expect(try server.connectionsUsed() == 0)
    }
  }

  @Test func `a certificate for another host is refused`() async throws {
    try await HTTP2Server.with { server in
      let origin = "https://127.0.0.2:\(server.port)"
      let client = try client(server, origin: origin)
      let refused = await error { try await client.send(HTTPRequest(url: "\(origin)/file")) }
      #expect(refused?.code == .tls)
      #expect(refused?.isTransient == false)
      await client.close()
    }
  }

  @Test func `a missing authority file fails the request and trusts nobody`() async throws {
    try await HTTP2Server.with { server in
      let client = try client(origin: server.url) { $0.caFile = "/nonexistent.pem" }
      let refused = await error { try await client.send(post("secret", to: server)) }
      #expect(refused?.code == .tls)
      #expect(refused?.isTransient == false)
      await client.close()
    }
  }

  @Test func `when the server is killed every waiting caller is answered, and work resumes after its restart`()
    async throws
  {
    try await HTTP2Server.with { server in
      let client = try client(server)
      _ = try await client.send(post("warm", to: server))
      server.process.signal(SIGSTOP)
      let outcomes = try await withThrowingTaskGroup(of: TransportError?.self) { group in
        for number in 0..<500 {
          group.addTask {
            do {
              _ = try await client.send(post("lost \(number)", to: server))
              return nil
            } catch let error as TransportError {
              return error
            }
          }
        }
        await server.kill()
        return try await group.reduce(into: [TransportError?]()) { $0.append($1) }
      }
      #expect(outcomes.count == 500)
      for error in outcomes.compactMap(\.self) {
        #expect(error.isTransient, "\(String(reflecting: error))")
        #expect([.connectionLost, .cannotConnect, .tls].contains(error.code), "\(String(reflecting: error))")
      }
      #expect(outcomes.contains { $0 != nil })

      let again = try await HTTP2Server.start(in: server.directory, port: server.port)
      let response = try await client.send(post("back", to: again))
      #expect(response.body == Array("back".utf8))
      await client.close()
      await again.kill()
    }
  }

  @Test func `a cancelled caller is answered at once and the others keep their connection`() async throws {
    try await HTTP2Server.with { server in
      let client = try client(server)
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

  @Test func `a running request that is cancelled resets its stream only`() async throws {
    try await HTTP2Server.with { server in
      let client = try client(server) { $0.maximumConnectionsPerHost = 1 }
      _ = try await client.send(post("warm", to: server))
      // Longer than the server's window: it stays in the middle of the upload while the server is stopped.
      server.process.signal(SIGSTOP)
      let upload = HTTPRequest(method: "POST", url: "\(server.url)/echo", body: [UInt8](repeating: 1, count: 200_000))
      let running = Task { try await client.send(upload) }
      let other = Task { try await client.send(post("other", to: server)) }
      try await eventually("the upload has been written") { try Sockets.unreadBytes(at: server.port) > 10_000 }
      running.cancel()
      let error = await error { try await running.value }
      #expect(error?.code == .cancelled)
      #expect(error?.mayHaveBeenProcessed == true)
      server.process.signal(SIGCONT)
      #expect(try await other.value.status == 200)
      try await eventually("the server has seen the reset") { try server.log().contains("recv RST_STREAM") }
      #expect(try server.connectionsUsed() == 1)
      await client.close()
    }
  }

  @Test func `a server that stops answering costs no more than the timeout, waiting callers included`() async throws {
    try await HTTP2Server.with { server in
      let client = try client(server) {
        $0.timeout = .milliseconds(300)
        $0.maximumConnectionsPerHost = 1
        $0.maximumStreamsPerConnection = 5
      }
      _ = try await client.send(post("warm", to: server))
      server.process.signal(SIGSTOP)
      let start = ContinuousClock.now
      let errors = await withTaskGroup(of: TransportError?.self) { group in
        for _ in 0..<20 { group.addTask { await error { try await client.send(post("x", to: server)) } } }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(errors.allSatisfy { $0?.code == .timeout && $0?.isTransient == true })
      #expect(errors.count { $0?.mayHaveBeenProcessed == true } == 5, "those that had streams")
      #expect(ContinuousClock.now - start < .seconds(5))
      server.process.signal(SIGCONT)
      #expect(try await client.send(post("again", to: server)).status == 200)
      #expect(try server.connectionsUsed() == 2, "a connection that has fallen silent is given up")
      await client.close()
    }
  }

  @Test func `a TLS handshake that is never answered ends with the connect timeout`() async throws {
    let silent = try TestPeer()
    let origin = "https://127.0.0.1:\(silent.port)"
    let client = try client(origin: origin) { $0.connectTimeout = .milliseconds(200) }
    let error = await error { try await client.send(HTTPRequest(url: "\(origin)/")) }
    #expect(error?.code == .timeout)
    #expect(error?.mayHaveBeenProcessed == false)
    await client.close()
  }

  @Test func `nobody listening is a transient error for everyone who waits`() async throws {
    let origin = "https://127.0.0.1:\(try FreePort.find())"
    let client = try client(origin: origin)
    await withTaskGroup(of: TransportError?.self) { group in
      for _ in 0..<300 { group.addTask { await error { try await client.send(HTTPRequest(url: "\(origin)/")) } } }
      for await error in group {
        #expect(error?.code == .cannotConnect)
        #expect(error?.isTransient == true)
        #expect(error?.mayHaveBeenProcessed == false)
      }
    }
    await client.close()
  }

  @Test(arguments: [("DNS:localhost", true), ("DNS:other.example", false), ("IP:127.0.0.1", false)])
  func `a certificate must be for the name`(names: String, isAccepted: Bool) async throws {
    try await TemporaryDirectory.with { directory in
      try await directory.makeCertificate(for: names)
      let server = try await HTTP2Server.start(in: directory, port: FreePort.find())
      let origin = "https://localhost:\(server.port)"
      let client = try client(server, origin: origin)
      let request = HTTPRequest(method: "POST", url: "\(origin)/echo", body: [1])
      if isAccepted {
        #expect(try await client.send(request).status == 200)
      } else {
        let refused = await error { try await client.send(request) }
        #expect(refused?.code == .tls)
        #expect(refused?.isTransient == false)
      }
      await client.close()
      await server.kill()
    }
  }

  @Test func `beyond the bound callers are refused, and a place is free again when one has left`() async throws {
    try await HTTP2Server.with { server in
      let client = try client(server) {
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
      let client = try client(server) {
        $0.maximumResponseBody = 1_000
        $0.maximumConnectionsPerHost = 1
      }
      let large = await error { try await client.send(HTTPRequest(url: "\(server.url)/file")) }
      #expect(large?.code == .tooLarge)
      #expect(large?.isTransient == false)
      #expect(try await client.send(post("small", to: server)).body == Array("small".utf8))
      await client.close()
      #expect(try server.connectionsUsed() == 1)
    }
  }

  @Test func `what would break the request is refused before it is sent, and errors repeat no value`() async throws {
    try await HTTP2Server.with { server in
      let client = try client(server)
      for request in [
        HTTPRequest(method: "GE T", url: "\(server.url)/"), HTTPRequest(url: "\(server.url)/a b"),
        HTTPRequest(url: "\(server.url)secret/"), HTTPRequest(url: "https://elsewhere/"),
        HTTPRequest(url: "\(server.url)/", headers: [("X-Bad", "secret\r\nX-More: 1")]),
        HTTPRequest(url: "\(server.url)/", headers: [("X Bad", "secret")]),
      ] {
        let refused = await error { try await client.send(request) }
        guard case .invalidRequest? = refused?.code else {
          Issue.record("\(request.url): \(String(reflecting: refused))")
          continue
        }
        #expect(refused.map { "\($0) \(String(reflecting: $0))".contains("secret") } == false)
      }
      await client.close()
      #expect(try server.connectionsUsed() == 0)
    }
    for origin in ["", "http://host", "https://", "https://host/", "https://host:0", "https://user@host"] {
      #expect(throws: TransportError.self, "\(origin)") { try client(origin: origin) }
    }
  }

  @Test func `run closes the client when the service stops`() async throws {
    try await HTTP2Server.with { server in
      let client = try client(server)
      let running = Task { try await client.run() }
      #expect(try await client.send(post("first", to: server)).status == 200)
      running.cancel()
      try await running.value
      #expect(await error { try await client.send(post("late", to: server)) }?.code == .closed)
    }
  }

  @Test func `close waits for requests in flight and refuses new ones; cancelled, it ends them`() async throws {
    try await HTTP2Server.with { server in
      for isCancelled in [false, true] {
        let client = try client(server)
        _ = try await client.send(post("warm", to: server))
        server.process.signal(SIGSTOP)
        let running = Task { try await client.send(post("running", to: server)) }
        try await eventually("the request has been written") { try Sockets.unreadBytes(at: server.port) > 0 }
        let closing = Task { await client.close() }
        try await eventually("new requests are refused") {
          let probe = Task { try await client.send(post("late", to: server)) }
          probe.cancel()
          return await error { try await probe.value }?.code == .closed
        }
        if isCancelled {
          closing.cancel()
          await closing.value
          server.process.signal(SIGCONT)
          #expect(await error { try await running.value }?.code == .closed)
        } else {
          server.process.signal(SIGCONT)
          #expect(try await running.value.status == 200)
          await closing.value
        }
      }
    }
  }

  @Test func `a client that is forgotten leaves nothing open`() async throws {
    try await HTTP2Server.with { server in
      do {
        let client = try client(server)
        _ = try await client.send(post("x", to: server))
      }
      try await eventually("the connection is closed") { try Sockets.open(to: server.port) == 0 }
    }
  }
}
