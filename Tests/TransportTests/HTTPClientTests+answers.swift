import Foundation
import Glibc
import LocalStack
import Synchronization
import TestSupport
import Testing
import Transport

/// What servers may answer, and when.
extension HTTPClientTests {
  private func url(_ peer: TestPeer) -> String { "http://127.0.0.1:\(peer.port)/" }

  // MARK: Where an answer ends

  @Test(
    arguments: [
      ("GET", "HTTP/1.1 204 No Content\r\n\r\n", 204),
      ("GET", "HTTP/1.1 304 Not Modified\r\nContent-Length: 100\r\n\r\n", 304),
      ("HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n", 200),
      ("POST", "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n", 302),
    ]
  )
  func `an answer without a body ends with its header although the connection stays, and a redirect is one`(
    method: String,
    answer: String,
    status: Int
  ) async throws {
    let peer = try TestPeer()
    let client = client()
    let request = Task { try await client.send(HTTPRequest(method: method, url: url(peer))) }
    let connection = try peer.next()
    try connection.send(answer)
    let response = try await request.value
    #expect(response.status == status)
    #expect(response.body.isEmpty)
    withExtendedLifetime(connection) {}
    await client.close()
  }

  @Test func `a body of HTTP/1.0 ends with its connection, collected or handed on`() async throws {
    let peer = try TestPeer()
    let client = client()
    let sent = Task { try await client.send(HTTPRequest(url: url(peer))) }
    try peer.answerNext("HTTP/1.0 200 OK\r\n\r\nall of it")
    let response = try await sent.value
    #expect(String(decoding: response.body, as: UTF8.self) == "all of it")
    #expect(response.httpVersion == "1.0")
    let downloaded = Task {
      var body: [UInt8] = []
      _ = try await client.download(HTTPRequest(url: url(peer))) { piece in
        body += piece
        return true
      }
      return body
    }
    try peer.answerNext("HTTP/1.0 200 OK\r\n\r\nall of it")
    #expect(try await downloaded.value == response.body)
    await client.close()
  }

  @Test func `interim answers are passed over, trailers left out, and a header is put together from its parts`()
    async throws
  {
    let peer = try TestPeer()
    let client = client()
    let request = Task { try await client.send(HTTPRequest(url: url(peer))) }
    let connection = try peer.next()
    for part in [
      "HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\nContent-Length: 7\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Enco", "ding: chunked\r", "\nX-Parts: one", " two\r\n\r", "\n4\r\nbody\r\n",
      "0\r\nX-Trailer: no\r\n\r\n",
    ] {
      try connection.send(part)
      try await eventually("the part has been read") { try Sockets.unreadBytes(from: peer.port) == 0 }
    }
    let response = try await request.value
    #expect(response.status == 200)
    #expect(response.httpVersion == "1.1")
    #expect(response.headers.all.map(\.name) == ["Transfer-Encoding", "X-Parts"])
    #expect(response.headers.first("x-parts") == "one two")
    #expect(String(decoding: response.body, as: UTF8.self) == "body")
    await client.close()
  }

  @Test(
    arguments: [
      ("SSH-2.0-OpenSSH_9.2\r\n\r\n", TransportError.Code.badResponse), ("HTTP/9.9 200 OK\r\n\r\n", .badResponse),
      ("HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n", .badResponse),
      ("HTTP/1.1 200 OK\r\nX-Long: \(String(repeating: "x", count: 70_000))\r\n\r\n", .tooLarge),
      ("HTTP/1.1 200 OK\r\nX-Longer: \(String(repeating: "x", count: 150_000))\r\n\r\n", .tooLarge),
      (String(repeating: "HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n", count: 2_000), .tooLarge),
      (
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7d0\r\n\(String(repeating: "x", count: 2_000))", .tooLarge
      ),
    ]
  )
  func `what is no HTTP is malformed, and what is too long is too large`(answer: String, code: TransportError.Code)
    async throws
  {
    let peer = try TestPeer()
    let client = client { $0.maximumResponseBody = 1_000 }
    let request = Task { try await client.send(HTTPRequest(url: url(peer))) }
    let connection = try peer.next()
    try connection.send(answer)
    let error = await error { try await request.value }
    #expect(error?.code == code)
    #expect(error?.mayHaveBeenProcessed == true)
    withExtendedLifetime(connection) {}
    await client.close()
  }

  @Test(arguments: ["/a/../b", "/groups/%2E%2E/members/ben", "/groups/%2e/members/./ben"])
  func `a path is asked for as it is given, dots included`(path: String) async throws {
    let peer = try TestPeer()
    let client = client()
    let request = Task { try await client.send(HTTPRequest(url: "http://127.0.0.1:\(peer.port)\(path)")).status }
    let head = try peer.answerNext("HTTP/1.1 204 No Content\r\n\r\n")
    #expect(head.hasPrefix("GET \(path) HTTP/1.1\r\n"))
    #expect(try await request.value == 204)
    await client.close()
  }

  @Test func `a header that is too long ends its request at once over HTTP/2 too, and the next one is served`()
    async throws
  {
    try await OddHTTP2Server.with { server in
      let client = client { $0.caFile = server.directory.certificate }
      let start = ContinuousClock.now
      let refused = await error { try await client.send(HTTPRequest(url: "\(server.url)/header")) }
      #expect(refused?.code == .tooLarge)
      #expect(ContinuousClock.now - start < .seconds(10), "long before the timeout")
      let next = try await client.send(HTTPRequest(url: "\(server.url)/ok"))
      #expect(next.status == 200)
      await client.close()
    }
  }

  @Test(arguments: [[], ["-alpn", "http/1.1"]])
  func `a server with TLS and without HTTP/2 is spoken to as it speaks`(options: [String]) async throws {
    try await TemporaryDirectory.with { directory in
      try await directory.makeCertificate()
      let port = try FreePort.find()
      let process = try LocalProcess.spawn(
        executable: "openssl",
        arguments: [
          "s_server", "-accept", "127.0.0.1:\(port)", "-www", "-cert", directory.certificate, "-key", directory.key,
        ] + options
      )
      try await eventually("the server listens") { TestPeer.isOpen(port) || !process.isRunning }
      let client = client { $0.caFile = directory.certificate }
      let response = try await client.send(HTTPRequest(url: "https://127.0.0.1:\(port)/"))
      #expect(response.status == 200)
      #expect(response.httpVersion == "1.0")
      #expect(!response.body.isEmpty)
      await client.close()
      await process.stop(signal: SIGKILL)
    }
  }

  // MARK: Connections

  @Test func `a connection is used again, and a request that it ends without an answer is not sent again`() async throws
  {
    let peer = try TestPeer()
    let client = client()
    let request = HTTPRequest(method: "POST", url: url(peer), body: [1])
    let first = Task { try await client.send(request) }
    var connection: TestConnection? = try peer.next()
    try connection?.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    #expect(try await first.value.status == 200)
    let second = Task { try await client.send(request) }
    try connection?.readRequest()
    connection = nil
    let error = await error { try await second.value }
    #expect(error?.code == .connectionLost)
    #expect(error?.isTransient == true)
    #expect(error?.mayHaveBeenProcessed == true)
    #expect(try Sockets.unreadBytes(at: peer.port) <= 1, "the end of a connection counts as a byte")
    await client.close()
  }

  @Test func `a hundred requests at once take turns on the connections that there may be`() async throws {
    let peer = try TestPeer()
    let client = client { $0.maximumConnectionsPerHost = 3 }
    let request = HTTPRequest(url: url(peer))
    let requests = (0..<100).map { _ in Task { try await client.send(request).status } }
    #expect(try 1...3 ~= peer.answer(100, with: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"))
    for request in requests { #expect(try await request.value == 200) }
    await client.close()
  }

  @Test func `without TLS no request waits for the answer to the first`() async throws {
    let peer = try TestPeer()
    let client = client()
    let request = HTTPRequest(url: url(peer))
    let first = Task { try await client.send(request).status }
    let slow = try peer.next()
    let second = Task { try await client.send(request).status }
    try await eventually("the second has its own connection") { try Sockets.open(to: peer.port) == 2 }
    try peer.answerNext("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    #expect(try await second.value == 200)
    try slow.send("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")
    #expect(try await first.value == 201)
    await client.close()
  }

  @Test func `no proxy is taken from the environment`() async throws {
    setenv("http_proxy", "http://127.0.0.1:1", 1)
    defer { unsetenv("http_proxy") }
    let peer = try TestPeer()
    let client = client()
    let request = Task { try await client.send(HTTPRequest(url: url(peer))) }
    try peer.answerNext("HTTP/1.1 204 No Content\r\n\r\n")
    #expect(try await request.value.status == 204)
    await client.close()
  }

  // MARK: Handed on

  @Test func `while a piece is worked on the server can send little more, and no timeout runs`() async throws {
    let size = 64 * 1_048_576
    let peer = try TestPeer()
    let timeout = Duration.seconds(1)
    let client = client { $0.timeout = timeout }
    let (resumed, resume) = AsyncStream<Void>.makeStream()
    let download = Task {
      var count = 0
      let response = try await client.download(HTTPRequest(url: url(peer), timeout: timeout)) { piece in
        for await _ in resumed {}
        count += piece.count
        return true
      }
      return (response.status, count)
    }
    let connection = try peer.next()
    try connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
    let body = [UInt8](repeating: 1, count: size)
    let taken = try connection.sendWhileTaken(body[...])
    // What the kernel keeps on both sides of a connection is a few megabytes.
    #expect(taken < size / 4)
    try await Task.sleep(for: timeout * 1.5)
    resume.finish()
    #expect(try connection.sendWhileTaken(body[taken...]) == size - taken)
    #expect(try await download.value == (200, size))
    await client.close()
  }

  @Test(arguments: ["Content-Length: 100\r\n\r\nhalf", "Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n"])
  func `a body cut short while it is handed on is a lost connection`(rest: String) async throws {
    let peer = try TestPeer()
    let client = client()
    let download = Task {
      try await client.download(HTTPRequest(url: url(peer))) { String(decoding: $0, as: UTF8.self) == "half" }
    }
    try peer.answerNext("HTTP/1.1 200 OK\r\n\(rest)")
    let error = await error { try await download.value }
    #expect(error?.code == .connectionLost)
    #expect(error?.mayHaveBeenProcessed == true)
    await client.close()
  }

  @Test(arguments: ["", "half"])
  func `a body that does not come costs no more than the timeout, collected or handed on`(part: String) async throws {
    let peer = try TestPeer()
    let client = client { $0.timeout = .milliseconds(300) }
    let request = HTTPRequest(url: url(peer))
    let sent = Task { try await client.send(request) }
    let first = try peer.next()
    try first.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n\(part)")
    #expect(await error { try await sent.value }?.code == .timeout)
    let downloaded = Task { try await client.download(request) { _ in true } }
    let second = try peer.next()
    try second.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n\(part)")
    let error = await error { try await downloaded.value }
    #expect(error?.code == .timeout)
    #expect(error?.mayHaveBeenProcessed == true)
    withExtendedLifetime((first, second)) {}
    await client.close()
  }

  @Test func `who is cancelled while working on a piece gets no other, and the connection is closed`() async throws {
    let peer = try TestPeer()
    let client = client()
    let (begun, begin) = AsyncStream<Void>.makeStream()
    let (never, keep) = AsyncStream<Void>.makeStream()
    let pieces = Mutex(0)
    let download = Task {
      try await client.download(HTTPRequest(url: url(peer))) { _ in
        pieces.withLock { $0 += 1 }
        begin.yield()
        for await _ in never {}
        return true
      }
    }
    let connection = try peer.next()
    try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n\(String(repeating: "x", count: 500_000))")
    for await _ in begun { break }
    download.cancel()
    let error = await error { try await download.value }
    #expect(error?.code == .cancelled)
    #expect(error?.mayHaveBeenProcessed == true)
    #expect(pieces.withLock { $0 } == 1)
    try await eventually("the connection is closed") { try Sockets.open(to: peer.port) == 0 }
    withExtendedLifetime((connection, keep)) {}
    await client.close()
  }

  @Test func `close ends what is handed on and what waits for a connection`() async throws {
    let peer = try TestPeer()
    let client = client { $0.maximumConnectionsPerHost = 1 }
    let request = HTTPRequest(url: url(peer))
    let (begun, begin) = AsyncStream<Void>.makeStream()
    let download = Task {
      try await client.download(request) { _ in
        begin.yield()
        return true
      }
    }
    let connection = try peer.next()
    try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
    for await _ in begun { break }
    let waiting = (0..<2).map { _ in Task { try await client.send(request) } }
    try await eventually("one of two has its connection") { try Sockets.unreadBytes(at: peer.port) > 0 }
    await client.close()
    #expect(await error { try await download.value }?.code == .closed)
    for request in waiting { #expect(await error { try await request.value }?.code == .closed) }
    try await eventually("the connections are closed") { try Sockets.open(to: peer.port) == 0 }
    withExtendedLifetime(connection) {}
  }
}
