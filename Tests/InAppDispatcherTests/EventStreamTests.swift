import Foundation
import InAppDispatcher
import NotificationModel
import SignalRProtocol
import TestSupport
import Testing

/// Server-Sent Events.
@Suite struct EventStreamTests {
  private let path = "/hubs/notifications"

  private func client(_ hub: TestHub, _ user: UserID = .random()) async throws -> TestEventStream {
    let token = try await TestHub.token(user)
    return TestEventStream(
      target: "\(path)?id=\(try await hub.negotiate(token))",
      token: token,
      events: try await hub.open(),
      posts: try await hub.open()
    )
  }

  @Test func `the stream begins with exact headers and a comment, then brings each message as an event`() async throws {
    try await TestHub.run { hub in
      let anna = UserID.random()
      let client = try await client(hub, anna)
      let answer = try await client.begin()
      #expect(answer.status == 200)
      #expect(answer.values("Content-Type") == ["text/event-stream"])
      #expect(answer.values("Cache-Control") == ["no-cache,no-store"])
      #expect(answer.values("Content-Encoding") == ["identity"])
      #expect(answer.values("Content-Length").isEmpty)
      #expect(answer.values("Transfer-Encoding").isEmpty)
      #expect(try await client.events.bytes(3) == Array(":\r\n".utf8))
      let accepted = try await client.post(TestHub.handshake)
      #expect(accepted.status == 200)
      #expect(accepted.values("Content-Length") == ["0"])
      #expect(try await client.events.bytes(13) == Array("data: {}\u{1E}\r\n\r\n".utf8))
      try await hub.server.deliver([TestHub.unread(anna, 3), TestHub.notification(anna, seq: 4, unread: 5)])
      #expect(try await client.events.event() == TestHub.unreadMessage(3))
      #expect(try await client.events.event().hasPrefix(#"{"type":1,"target":"ReceiveNotification""#))
      #expect(try await client.events.event() == TestHub.unreadMessage(5))
    }
  }

  @Test func `allowed pages get their headers on the stream too`() async throws {
    try await TestHub.run { hub in
      let answer = try await client(hub).begin(headers: ["Origin": "https://app.example"])
      #expect(answer.values("Access-Control-Allow-Origin") == ["https://app.example"])
      #expect(answer.values("Access-Control-Allow-Credentials") == ["true"])
      #expect(answer.values("Vary") == ["Origin"])
      let foreign = try await client(hub).begin(headers: ["Origin": "https://evil.example"])
      #expect(foreign.status == 200)
      #expect(foreign.values("Access-Control-Allow-Origin").isEmpty)
    }
  }

  @Test func `browsers bring the token in the query`() async throws {
    try await TestHub.run { hub in
      let token = try await TestHub.token(.random())
      let stream = try await hub.open()
      let target = "\(path)?id=\(try await hub.negotiate(token))&access_token=\(token)"
      #expect(try await stream.request("GET", target, headers: ["Accept": "text/event-stream"]).status == 200)
      #expect(try await hub.open().request("POST", target, body: TestHub.handshake).status == 200)
      #expect(try await stream.bytes(16) == Array(":\r\ndata: {}\u{1E}\r\n\r\n".utf8))
    }
  }

  @Test func `what is posted before the stream opens is kept for it`() async throws {
    try await TestHub.run { hub in
      let client = try await client(hub)
      let answer = try await client.post(TestHub.handshake)
      #expect(answer.status == 200)
      #expect(answer.bytes.isEmpty)
      let call = #"{"type":1,"invocationId":"1","target":"X","arguments":[]}"# + "\u{1E}"
      #expect(try await client.post(call).status == 200)
      #expect(hub.server.connectionCount == 0)
      #expect(try await client.begin().status == 200)
      #expect(try await client.events.bytes(3) == Array(":\r\n".utf8))
      #expect(try await client.events.event() == "{}")
      #expect(try await client.events.event().contains(TestHub.missing("X")))
    }
  }

  @Test func `MessagePack is refused, because events are text`() async throws {
    try await TestHub.run { hub in
      let client = try await client(hub)
      _ = try await client.begin()
      try await client.post(TestHub.handshake(.messagePack))
      #expect(try await client.events.bytes(3) == Array(":\r\n".utf8))
      #expect(try await client.events.event().hasPrefix(#"{"error":"Cannot use the 'messagepack' protocol"#))
      try await client.events.waitForEnd()
      try await eventually("no connection is left") { hub.server.connectionCount == 0 }
      #expect(try await client.post("x").status == 404)
      #expect(hub.server.statistics[.ended(.handshakeRefused)] == 1)
    }
  }

  @Test func `no second stream and no other transport takes the connection`() async throws {
    try await TestHub.run { hub in
      let client = try await TestEventStream.open(hub, .random())
      let (target, token) = (client.target, client.token)
      let second = try await hub.open().request("GET", target, token: token, headers: ["Accept": "text/event-stream"])
      #expect(second.status == 409)
      #expect(try await hub.open().upgrade(target, token: token).status == 400)
      #expect(try await hub.open().request("GET", target, token: token).status == 400)
      #expect(try await hub.open().request("DELETE", target, token: token).status == 400)
      let foreign = try await TestHub.token(.random())
      #expect(try await hub.open().request("POST", target, token: foreign, body: "x").status == 404)
      #expect(hub.server.connectionCount == 1)
      let call = #"{"type":1,"invocationId":"1","target":"X","arguments":[]}"# + "\u{1E}"
      #expect(try await client.post(call).status == 200)
      #expect(try await client.events.event().contains(TestHub.missing("X")))
    }
  }

  @Test func `a stream needs a negotiated id`() async throws {
    try await TestHub.run { hub in
      let token = try await TestHub.token(.random())
      let accept = ["Accept": "text/event-stream"]
      #expect(try await hub.open().request("GET", path, token: token, headers: accept).status == 400)
      #expect(try await hub.open().request("GET", "\(path)?id=stale", token: token, headers: accept).status == 404)
    }
  }

  @Test func `a client that goes, or says goodbye, frees its connection`() async throws {
    try await TestHub.run { hub in
      let gone = try await TestEventStream.open(hub, .random())
      let lost = try await TestEventStream.open(hub, .random())
      let polite = try await TestEventStream.open(hub, .random())
      #expect(hub.server.connectionCount == 3)
      await gone.events.close()
      try await lost.events.reset()
      try await polite.post(#"{"type":7}"# + "\u{1E}")
      try await polite.events.waitForEnd()
      try await eventually("no connection is left") { hub.server.connectionCount == 0 }
      for client in [gone, lost, polite] { #expect(try await client.post("x").status == 404) }
    }
  }

  @Test func `many streams on all event loops get what is theirs, in order`() async throws {
    try await TestHub.run { hub in
      let users = (0..<8).map { _ in UserID.random() }
      var clients: [(UserID, TestEventStream)] = []
      for user in users {
        for _ in 0..<2 { clients.append((user, try await TestEventStream.open(hub, user))) }
      }
      for count in 1...20 { try await hub.server.deliver(users.map { try TestHub.unread($0, count) }) }
      for (index, (_, client)) in clients.enumerated() {
        for count in 1...20 { #expect(try await client.events.event() == TestHub.unreadMessage(count)) }
        let call = #"{"type":1,"invocationId":"\#(index)","target":"X","arguments":[]}"# + "\u{1E}"
        #expect(try await client.post(call).status == 200)
        #expect(try await client.events.event().contains(#""invocationId":"\#(index)""#))
      }
    }
  }

  @Test func `silence brings pings as events`() async throws {
    try await TestHub.run(adjust: { $0.timing.pingInterval = .milliseconds(40) }) { hub in
      let client = try await TestEventStream.open(hub, .random())
      for _ in 0..<3 { #expect(try await client.events.event() == #"{"type":6}"#) }
    }
  }

  @Test func `a stream without a handshake ends`() async throws {
    try await TestHub.run(adjust: { $0.timing.handshakeTimeout = .milliseconds(50) }) { hub in
      let client = try await client(hub)
      _ = try await client.begin()
      #expect(try await client.events.bytes(3) == Array(":\r\n".utf8))
      #expect(try await client.events.event() == #"{"error":"Handshake was canceled."}"#)
      try await client.events.waitForEnd()
    }
  }
}
