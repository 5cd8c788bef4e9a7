import Foundation
import Testing

@testable import BelfryClient

struct EventStreamTransportTests {
  private let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"

  private func open(_ server: LoopbackServer) async throws -> any LiveChannel {
    try await EventStreamTransport().open(try server.url("/hub?id=c"), token: "t", via: URLSessionTransport())
  }

  @Test func `text comes as it is sent, and goes by requests`() async throws {
    let head = head
    let requests = Locked<[String]>([])
    let server = try LoopbackServer { connection in
      requests.withLock { $0.append(connection.request) }
      if connection.request.hasPrefix("POST") {
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
      } else {
        connection.write(head + "data: one\u{1E}\r\n\r\n: comment\r\n\r\nda")
        connection.write("ta: two\u{1E}\r\n\r\n")
      }
    }
    let channel = try await open(server)
    var texts: [String] = []
    do {
      for try await text in channel.incoming { texts.append(text) }
    } catch let error as BelfryError {
      #expect(error.code == .unavailable)
    }
    #expect(texts == ["one\u{1E}", "two\u{1E}"])
    try await channel.send("three\u{1E}")
    let (get, post) = requests.withLock { ($0.first ?? "", $0.last ?? "") }
    #expect(get.hasPrefix("GET /hub?id=c HTTP/1.1\r\n"))
    #expect(get.contains("Accept: text/event-stream\r\n"))
    #expect(get.contains("Authorization: Bearer t\r\n"))
    #expect(post.hasPrefix("POST /hub?id=c HTTP/1.1\r\n"))
    #expect(post.contains("Authorization: Bearer t\r\n"))
    #expect(post.hasSuffix("\r\n\r\nthree\u{1E}"))
  }

  @Test func `closing ends the stream and the line`() async throws {
    let head = head
    let isOver = Locked(false)
    let server = try LoopbackServer { connection in
      connection.write(head + "data: one\r\n\r\n")
      connection.waitForEnd()
      isOver.withLock { $0 = true }
    }
    let channel = try await open(server)
    var texts = channel.incoming.makeAsyncIterator()
    #expect(try await texts.next() == "one")
    channel.close()
    #expect(try await texts.next() == nil)
    while !isOver.withLock({ $0 }) { await Task.yield() }
  }

  @Test func `letting go of it ends the line`() async throws {
    let head = head
    let isOver = Locked(false)
    let server = try LoopbackServer { connection in
      connection.write(head)
      connection.waitForEnd()
      isOver.withLock { $0 = true }
    }
    _ = try await open(server)
    while !isOver.withLock({ $0 }) { await Task.yield() }
  }

  @Test func `a hub that refuses is told by its status`() async throws {
    let server = try LoopbackServer { connection in
      connection.write("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    }
    let error = await #expect(throws: BelfryError.self) { try await open(server) }
    #expect(error?.code == .unavailable)
    #expect(error?.status == 404)
  }

  @Test func `a line that does not end is given up`() async throws {
    let head = head
    let server = try LoopbackServer { connection in
      connection.write(head + "data: ")
      let piece = String(repeating: "x", count: 1 << 18)
      while connection.write(piece) {}
    }
    let channel = try await open(server)
    let error = await #expect(throws: BelfryError.self) { for try await _ in channel.incoming {} }
    #expect(error?.code == .malformed)
  }
}
