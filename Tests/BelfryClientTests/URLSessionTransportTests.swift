import Foundation
import Testing

@testable import BelfryClient

struct URLSessionTransportTests {
  private let transport = URLSessionTransport()

  @Test func `a request arrives as it is, and its answer comes back`() async throws {
    let request = Locked("")
    let server = try LoopbackServer { connection in
      request.withLock { $0 = connection.request }
      connection.write("HTTP/1.1 404 Not Found\r\nETag: \"v\"\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}")
    }
    let response = try await transport.send(
      HTTPRequest(
        method: "PATCH",
        url: try server.url("/a%2Fb?x=%20y"),
        headers: ["Authorization": "Bearer t"],
        body: Data("{\"a\":1}".utf8)
      )
    )
    #expect(response == HTTPResponse(status: 404, headers: response.headers, body: Data("{}".utf8)))
    #expect(response.headers["etag"] == "\"v\"")
    let text = request.withLock { $0 }
    #expect(text.hasPrefix("PATCH /a%2Fb?x=%20y HTTP/1.1\r\n"))
    #expect(text.contains("Authorization: Bearer t\r\n"))
    #expect(text.hasSuffix("\r\n\r\n{\"a\":1}"))
  }

  @Test func `where nothing answers, the error says what to look at, and no address`() async throws {
    let url = try #require(URL(string: "http://127.0.0.1:1/a?access_token=secret"))
    let error = await #expect(throws: BelfryError.self) {
      try await transport.send(HTTPRequest(method: "GET", url: url))
    }
    #expect(error?.description == "unavailable: nothing answers at this host and port (URLError -1004)")
  }

  @Test func `it follows nobody with the token`() async throws {
    let requests = Locked(0)
    let server = try LoopbackServer { connection in
      requests.withLock { $0 += 1 }
      connection.write("HTTP/1.1 302 Found\r\nLocation: /other\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    }
    let response = try await transport.send(HTTPRequest(method: "GET", url: try server.url("/")))
    #expect(response.status == 302)
    #expect(requests.withLock { $0 } == 1)
  }

  @Test func `an answer that does not end is given up`() async throws {
    let server = try LoopbackServer { connection in
      connection.write("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
      let piece = String(repeating: "x", count: 1 << 20)
      while connection.write(piece) {}
    }
    let error = await #expect(throws: BelfryError.self) {
      try await transport.send(HTTPRequest(method: "GET", url: try server.url("/"), timeout: .seconds(60)))
    }
    #expect(error?.code == .malformed)
  }

  @Test(.timeLimit(.minutes(1)))
  func `nobody there is unavailable, and no answer is a timeout`() async throws {
    let silent = try LoopbackServer { $0.waitForEnd() }
    let late = await #expect(throws: BelfryError.self) {
      try await transport.send(HTTPRequest(method: "GET", url: try silent.url("/"), timeout: .seconds(1)))
    }
    #expect(late?.code == .timeout)
    let gone = try #require(URL(string: "http://127.0.0.1:1/"))
    let error = await #expect(throws: BelfryError.self) {
      try await transport.send(HTTPRequest(method: "GET", url: gone))
    }
    #expect(error?.code == .unavailable)
  }

  @Test(.timeLimit(.minutes(1)))
  func `an answer that comes in drops takes no longer than it may`() async throws {
    let server = try LoopbackServer { connection in
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\nConnection: close\r\n\r\n")
      while connection.write("x") { usleep(50_000) }
    }
    let error = await #expect(throws: BelfryError.self) {
      try await transport.send(HTTPRequest(method: "GET", url: try server.url("/"), timeout: .seconds(1)))
    }
    #expect(error?.code == .timeout)
  }

  @Test func `a request ends with its task`() async throws {
    let asked = Locked(false)
    let server = try LoopbackServer { connection in
      asked.withLock { $0 = true }
      connection.waitForEnd()
    }
    let url = try server.url("/")
    let transport = transport
    let task = Task { try await transport.send(HTTPRequest(method: "GET", url: url, timeout: .seconds(60))) }
    while !asked.withLock({ $0 }) { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test(arguments: 0..<50)
  func `one that is cancelled at once comes back`(_: Int) async throws {
    let server = try LoopbackServer { $0.waitForEnd() }
    let url = try server.url("/")
    let transport = transport
    let task = Task { try await transport.send(HTTPRequest(method: "GET", url: url, timeout: .seconds(60))) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `an answer is no longer than the request allows`() async throws {
    let server = try LoopbackServer { connection in
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2000\r\nConnection: close\r\n\r\n")
      connection.write(String(repeating: "x", count: 2_000))
      connection.waitForEnd()
    }
    var request = HTTPRequest(method: "GET", url: try server.url("/"))
    request.maximumBody = 2_000
    #expect(try await transport.send(request).body.count == 2_000)
    request.maximumBody = 1_999
    await #expect(throws: BelfryError(.malformed, detail: "The answer is too long.")) {
      try await transport.send(request)
    }
  }
}
