import Foundation
import InAppDispatcher
import NotificationModel
import SignalRProtocol
import TestSupport
import Testing

/// Long polling.
@Suite struct LongPollingTests {
  private let path = "/hubs/notifications"
  private let call = HubMessage.invocation(id: "1", target: "X", arguments: [])

  private func client(
    _ hub: TestHub,
    _ user: UserID = .random(),
    as hubProtocol: HubProtocol = .json
  ) async throws -> TestPolling {
    let token = try await TestHub.token(user)
    return TestPolling(
      target: "\(path)?id=\(try await hub.negotiate(token))",
      token: token,
      hubProtocol: hubProtocol,
      polls: try await hub.open(),
      posts: try await hub.open()
    )
  }

  @Test func `the first poll is answered at once and empty, later ones bring what there is`() async throws {
    try await TestHub.run { hub in
      let anna = UserID.random()
      let client = try await client(hub, anna)
      let first = try await client.poll()
      #expect(first.status == 200)
      #expect(first.values("Content-Length") == ["0"])
      #expect(first.values("Content-Type") == ["application/octet-stream"])
      let posted = try await client.post(Array(TestHub.handshake.utf8))
      #expect(posted.status == 200)
      #expect(posted.values("Content-Length") == ["0"])
      let handshake = try await client.poll()
      #expect(handshake.status == 200)
      #expect(handshake.body == "{}\u{1E}")
      try await client.beginPoll()
      try await hub.server.deliver([TestHub.unread(anna, 3)])
      let data = try await client.polls.response()
      #expect(data.status == 200)
      #expect(data.values("Content-Type") == ["application/octet-stream"])
      #expect(data.values("Cache-Control") == ["no-cache,no-store"])
      #expect(data.body == TestHub.unreadMessage(3) + "\u{1E}")
    }
  }

  @Test func `what is posted before the first poll is kept for it`() async throws {
    try await TestHub.run { hub in
      let client = try await client(hub)
      #expect(try await client.post(Array(TestHub.handshake.utf8)).status == 200)
      #expect(try await client.post(call).status == 200)
      #expect(try await client.poll().bytes.isEmpty)
      let answer = try await client.poll().body
      #expect(answer.hasPrefix("{}\u{1E}"))
      #expect(answer.contains(TestHub.missing("X")))
    }
  }

  @Test func `a poll that finds nothing ends empty, and pings come through`() async throws {
    try await TestHub.run(adjust: { $0.limits.pollTimeout = .milliseconds(100) }) { hub in
      let client = try await TestPolling.open(hub, .random())
      for _ in 0..<2 {
        let answer = try await client.poll()
        #expect(answer.status == 200)
        #expect(answer.bytes.isEmpty)
      }
      #expect(hub.server.connectionCount == 1)
    }
    try await TestHub.run(adjust: { $0.timing.pingInterval = .milliseconds(50) }) { hub in
      let client = try await TestPolling.open(hub, .random())
      for _ in 0..<3 {
        let pings = try await HubProtocol.json.messages(in: client.poll().bytes)
        #expect(!pings.isEmpty)
        #expect(pings.allSatisfy { $0 == .ping })
      }
    }
  }

  @Test func `a newer poll ends the older one`() async throws {
    try await TestHub.run { hub in
      let anna = UserID.random()
      let client = try await TestPolling.open(hub, anna)
      let both = [client.polls, try await hub.open()]
      for connection in both { try await client.beginPoll(over: connection) }
      // They are verified on different loops, so either may come first.
      let (ended, waiting) = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
        for index in both.indices { group.addTask { (index, try await both[index].response().status) } }
        let first = try #require(try await group.next())
        #expect(first.1 == 204)
        try await hub.server.deliver([TestHub.unread(anna, 3)])
        return (first, try #require(try await group.next()))
      }
      #expect(ended.0 != waiting.0)
      #expect(waiting.1 == 200)
    }
  }

  @Test func `DELETE ends the connection and its waiting poll`() async throws {
    try await TestHub.run { hub in
      try await eventually("a waiting poll is ended") {
        let client = try await TestPolling.open(hub, .random())
        try await client.beginPoll()
        #expect(try await client.delete().status == 202)
        let waiting = try await client.polls.response()
        #expect(try await client.poll().status == 404)
        #expect(try await client.post(call).status == 404)
        #expect(try await client.delete().status == 404)
        #expect(hub.server.connectionCount == 0)
        // Rarely the DELETE overtakes the poll, which goes over another TCP connection.
        return waiting.status == 204
      }
    }
  }

  @Test func `a connection that the hub ends gives what is pending, then 204, then is gone`() async throws {
    try await TestHub.run { hub in
      let anna = UserID.random()
      let client = try await TestPolling.open(hub, anna)
      try await hub.server.deliver([TestHub.unread(anna, 3)])
      hub.server.sendEverybodyAway()
      try await eventually("it is sent away") { hub.server.statistics[.ended(.sentAway)] == 1 }
      let rest = try await client.poll()
      #expect(rest.body == TestHub.unreadMessage(3) + "\u{1E}" + #"{"type":7,"allowReconnect":true}"# + "\u{1E}")
      #expect(try await client.poll().status == 204)
      #expect(try await client.poll().status == 404)
      #expect(hub.server.connectionCount == 0)
    }
  }

  @Test func `a client that stops polling goes, whatever it posts`() async throws {
    try await TestHub.run(adjust: {
      $0.limits.pollPatience = .seconds(2)
      $0.limits.maximumMessagesPerSecond = 100_000
    }) { hub in
      let client = try await TestPolling.open(hub, .random())
      try await eventually("it is gone") { try await client.post(.ping).status == 404 }
      #expect(hub.server.connectionCount == 0)
      #expect(hub.server.statistics[.ended(.clientTimeout)] == 1)
      #expect(try await client.poll().status == 404)
    }
  }

  @Test func `a waiting poll is no inactivity, and a poll that loses its client is`() async throws {
    try await TestHub.run(adjust: { $0.limits.pollPatience = .seconds(2) }) { hub in
      let anna = UserID.random()
      let client = try await TestPolling.open(hub, anna)
      try await client.beginPoll()
      // One that began later and does not poll is gone long before.
      let other = try await TestPolling.open(hub, .random())
      try await eventually("the other is gone") { try await other.post(.ping).status == 404 }
      #expect(hub.server.connectionCount == 1)
      try await hub.server.deliver([TestHub.unread(anna, 3)])
      #expect(try await client.polls.response().body == TestHub.unreadMessage(3) + "\u{1E}")
      try await client.beginPoll()
      await client.polls.close()
      try await eventually("no connection is left") { hub.server.connectionCount == 0 }
    }
  }

  @Test(arguments: HubProtocol.allCases)
  func `nothing is lost between polls, in order`(hubProtocol: HubProtocol) async throws {
    try await TestHub.run { hub in
      let anna = UserID.random()
      let client = try await TestPolling.open(hub, anna, as: hubProtocol)
      async let delivered: Void = {
        for count in 1...300 { try await hub.server.deliver([TestHub.unread(anna, count)]) }
      }()
      var got: [HubMessage] = []
      while got.count < 300 { got += try await client.messages() }
      try await delivered
      let expected = (1...300).map {
        HubMessage.invocation(id: nil, target: "UnreadCountChanged", arguments: [.integer($0)])
      }
      #expect(got == expected)
    }
  }

  @Test func `MessagePack goes both ways`() async throws {
    try await TestHub.run { hub in
      let client = try await TestPolling.open(hub, .random(), as: .messagePack)
      #expect(try await client.post(call).status == 200)
      #expect(try await client.messages() == [.completion(id: "1", .error(TestHub.missing("X")))])
    }
  }

  @Test func `other transports are refused, and other users`() async throws {
    try await TestHub.run { hub in
      let client = try await TestPolling.open(hub, .random())
      let (target, token) = (client.target, client.token)
      #expect(try await hub.open().upgrade(target, token: token).status == 400)
      let stream = try await hub.open().request("GET", target, token: token, headers: ["Accept": "text/event-stream"])
      #expect(stream.status == 400)
      let foreign = try await TestHub.token(.random())
      for method in ["GET", "POST", "DELETE"] {
        #expect(try await hub.open().request(method, target, token: foreign).status == 404)
      }
      #expect(hub.server.connectionCount == 1)
    }
  }

  @Test func `DELETE of what is no long polling is refused`() async throws {
    try await TestHub.run { hub in
      let token = try await TestHub.token(.random())
      let id = try await hub.negotiate(token)
      #expect(try await hub.open().request("DELETE", "\(path)?id=\(id)", token: token).status == 400)
      #expect(try await hub.open().request("DELETE", path, token: token).status == 400)
    }
  }

  @Test func `a client with too much pending is dropped`() async throws {
    try await TestHub.run(adjust: { $0.limits.maximumPendingBytes = 65_536 }) { hub in
      let anna = UserID.random()
      let client = try await TestPolling.open(hub, anna)
      for seq in 1...200 { try await hub.server.deliver([TestHub.notification(anna, seq: seq)]) }
      #expect(hub.server.statistics[.ended(.slow)] == 1)
      #expect(hub.server.connectionCount == 0)
      #expect(try await client.poll().status == 404)
    }
  }

  @Test func `the clients' stamp against caches changes nothing, nor does polling over ever new connections`()
    async throws
  {
    try await TestHub.run { hub in
      let anna = UserID.random()
      let client = try await TestPolling.open(hub, anna)
      for count in 1...10 {
        let connection = try await hub.open()
        try await connection.sendRequest("GET", "\(client.target)&_=\(count)", token: client.token)
        try await hub.server.deliver([TestHub.unread(anna, count)])
        #expect(try await connection.response().body == TestHub.unreadMessage(count) + "\u{1E}")
        await connection.close()
      }
    }
  }
}
