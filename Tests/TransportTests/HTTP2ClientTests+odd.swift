import TestSupport
import Testing
import Transport

/// Against a server that misbehaves on purpose.
extension HTTP2ClientTests {
  @Test func `what does not speak HTTP/2 is reported as such`() async throws {
    try await OddHTTP2Server.with(["--no-alpn"]) { server in
      let client = try client(origin: server.url) { $0.caFile = server.directory.certificate }
      let error = await error { try await client.send(HTTPRequest(url: "\(server.url)/ok")) }
      #expect(error?.code == .badResponse)
      #expect(error?.isTransient == false)
      #expect(error?.mayHaveBeenProcessed == false)
      await client.close()
    }
  }

  @Test(arguments: ["/length", "/header"])
  func `an answer that breaks the protocol ends its request at once, and the next one is served`(path: String)
    async throws
  {
    try await OddHTTP2Server.with { server in
      let client = try client(origin: server.url) { $0.caFile = server.directory.certificate }
      let start = ContinuousClock.now
      let failed = await error { try await client.send(HTTPRequest(url: "\(server.url)\(path)")) }
      #expect(failed?.code == (path == "/header" ? .tooLarge : .connectionLost))
      #expect(failed?.mayHaveBeenProcessed == true)
      #expect(ContinuousClock.now - start < .seconds(10), "long before the timeout")
      #expect(try await client.send(HTTPRequest(url: "\(server.url)/ok")).status == 200)
      await client.close()
    }
  }

  @Test func `what a server refuses with its goodbye goes over another connection`() async throws {
    try await OddHTTP2Server.with { server in
      let client = try client(origin: server.url) { $0.caFile = server.directory.certificate }
      #expect(try await client.send(HTTPRequest(url: "\(server.url)/goaway")).status == 200)
      await client.close()
      let log = try server.log()
      #expect(log.contains("request 1 /goaway"))
      #expect(log.contains("request 2 /goaway"))
    }
  }

  @Test func `an answer wins even if the server closes before the body has been sent`() async throws {
    try await OddHTTP2Server.with { server in
      for _ in 0..<20 {
        let client = try client(origin: server.url) { $0.caFile = server.directory.certificate }
        let body = [UInt8](repeating: 1, count: 60_000)
        let answer = try await client.send(HTTPRequest(method: "POST", url: "\(server.url)/abrupt", body: body))
        #expect(answer.status == 503)
        await client.close()
      }
    }
  }

  @Test func `an answer that comes before the body has been sent is the answer`() async throws {
    try await OddHTTP2Server.with { server in
      let client = try client(origin: server.url) { $0.caFile = server.directory.certificate }
      let body = [UInt8](repeating: 1, count: 500_000)
      let early = try await client.send(HTTPRequest(method: "POST", url: "\(server.url)/early", body: body))
      #expect(early.status == 413)
      #expect(try await client.send(HTTPRequest(url: "\(server.url)/ok")).status == 200)
      await client.close()
    }
  }
}
