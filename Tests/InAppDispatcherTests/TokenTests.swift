import Authentication
import Foundation
import InAppDispatcher
import Logging
import NotificationModel
import SignalRProtocol
import Synchronization
import TestSupport
import Testing

@Suite struct TokenTests {
  private let path = "/hubs/notifications"
  private let goodbye = #"{"type":7,"allowReconnect":true}"#

  @Test func `the end of its token ends a connection, whatever carries it, and the client is to come back`()
    async throws
  {
    try await TestHub.run { hub in
      let anna = UserID.random()
      let stream = try await TestEventStream.open(hub, anna, lifetime: .seconds(8))
      let polls = try await TestPolling.open(hub, anna, as: .messagePack, lifetime: .seconds(8))
      let socket = try await hub.open()
      #expect(try await socket.upgrade(path, token: TestHub.token(anna, lifetime: .seconds(6))).status == 101)
      try await socket.shakeHands()
      let lasting = try await hub.connect(anna)
      try await polls.beginPoll()
      #expect(try await socket.message() == goodbye)
      #expect(try await socket.frame() == .init(opcode: 8, payload: [0x03, 0xE9]))
      try await socket.waitForEnd()
      #expect(try await stream.events.event() == goodbye)
      try await stream.events.waitForEnd()
      let polled = try await polls.polls.response().bytes
      #expect(try HubProtocol.messagePack.messages(in: polled) == [.close(error: nil, allowReconnect: true)])
      // The old token is refused by now.
      #expect(try await polls.poll().status == 401)
      #expect(try await polls.polls.request("GET", polls.target, token: TestHub.token(anna)).status == 204)
      #expect(hub.server.statistics[.ended(.tokenExpired)] == 3)
      try await eventually("one connection is left") { hub.server.connectionCount == 1 }
      try await hub.server.deliver([TestHub.unread(anna, 1)])
      #expect(try await lasting.message() == TestHub.unreadMessage(1))
    }
  }

  @Test func `whom the end of a token sends away is not let in with it again`() async throws {
    try await TestHub.run(clockSkew: .milliseconds(1_200)) { hub in
      // Over by now, and accepted for a fifth of a second at least: tokens count whole seconds.
      let token = try await TestHub.token(.random(), lifetime: .zero)
      let socket = try await hub.open()
      #expect(try await socket.upgrade(path, token: token).status == 101)
      try await socket.shakeHands()
      #expect(try await socket.message() == goodbye)
      #expect(try await hub.open().upgrade(path, token: token).status == 401)
    }
  }

  @Test func `where it is configured so, connections outlive their tokens`() async throws {
    try await TestHub.run(adjust: { $0.closesOnTokenExpiry = false }) { hub in
      let anna = UserID.random()
      let token = try await TestHub.token(anna, lifetime: .seconds(2))
      let socket = try await hub.open()
      #expect(try await socket.upgrade(path, token: token).status == 101)
      try await socket.shakeHands()
      try await Task.sleep(for: .seconds(2))
      try await hub.server.deliver([TestHub.unread(anna, 1)])
      #expect(try await socket.message() == TestHub.unreadMessage(1))
    }
  }

  @Test func `a newer token carries a long-polling connection on`() async throws {
    try await TestHub.run(adjust: { $0.limits.pollTimeout = .milliseconds(100) }) { hub in
      let anna = UserID.random()
      let client = try await TestPolling.open(hub, anna, lifetime: .seconds(6))
      let newer = try await TestHub.token(anna)
      let end = ContinuousClock.now + .seconds(7)
      while ContinuousClock.now < end {
        let answer = try await client.polls.request("GET", client.target, token: newer)
        #expect(answer.status == 200)
        #expect(answer.bytes.isEmpty)
      }
      #expect(hub.server.connectionCount == 1)
    }
  }

  @Test func `the token may stand in the query of every route`() async throws {
    try await TestHub.run { hub in
      let token = try await TestHub.token(.random())
      let query = "access_token=\(token)"
      let client = try await hub.open()
      #expect(try await client.request("POST", "\(path)/negotiate?\(query)").status == 200)
      #expect(try await client.request("GET", "\(path)?id=x&\(query)").status == 404)
      #expect(try await client.request("POST", "\(path)?\(query)&id=x").status == 404)
      #expect(try await client.request("DELETE", "\(path)?id=x&\(query)").status == 404)
      #expect(try await hub.open().upgrade("/hub/family?\(query)").status == 101)
      #expect(
        try await client.request("GET", "\(path)?id=x&\(query)", headers: ["Accept": "text/event-stream"]).status == 404
      )
    }
  }

  @Test(arguments: ["Basic YW5uYTpzZWNyZXQ=", "Bearer", "Negotiate abc"])
  func `what else stands in Authorization does not spoil the token in the query`(header: String) async throws {
    try await TestHub.run { hub in
      let token = try await TestHub.token(.random())
      let client = try await hub.open()
      let headers = ["Authorization": header]
      #expect(
        try await client.request("POST", "\(path)/negotiate?access_token=\(token)", headers: headers).status == 200
      )
      #expect(try await client.request("POST", "\(path)/negotiate", headers: headers).status == 401)
      #expect(
        try await client.request("POST", "\(path)/negotiate?access_token=x.y.z", headers: headers).status == 401
      )
      #expect(try await hub.open().upgrade("\(path)?access_token=\(token)", headers: headers).status == 101)
    }
  }

  @Test func `a long token is checked by what it says, in the header and in the query`() async throws {
    try await TestHub.run { hub in
      func token(_ length: Int, lifetime: Duration = .seconds(60)) async throws -> String {
        try TokenMinter.mint(
          secret: TestHub.secret,
          subject: UserID.random().description,
          lifetime: lifetime,
          issuer: String(repeating: "x", count: length * 3 / 4 - 200)
        )
      }
      let client = try await hub.open()
      func negotiate(_ token: String) async throws -> [TestConnection.Response] {
        [
          try await client.request("POST", "\(path)/negotiate", token: token),
          try await client.request("POST", "\(path)/negotiate?access_token=\(token)"),
        ]
      }
      for length in [12_288, 16_000] {
        let valid = try await token(length)
        #expect(valid.utf8.count > length - 300)
        #expect(try await negotiate(valid).map(\.status) == [200, 200])
        #expect(try await hub.open().upgrade("\(path)?access_token=\(valid)").status == 101)
        let expired = try await negotiate(token(length, lifetime: .seconds(-3_600)))
        #expect(expired.map(\.body) == ["The token has expired.", "The token has expired."])
      }
      let longest = try await negotiate(token(17_000))
      #expect(longest.map(\.body) == ["The token is malformed.", "The token is malformed."])
    }
  }

  @Test func `no token is ever logged`() async throws {
    let recorder = LogRecorder()
    let tokens = Mutex<[String]>([])
    try await TestHub.run(logger: recorder.logger, adjust: { $0.placement.publicURL = "https://hub-1.example" }) {
      hub in
      let anna = UserID.random()
      let token = try await TestHub.token(anna)
      let expired = try await TestHub.token(anna, lifetime: .seconds(-3_600))
      tokens.withLock { $0 = [token, expired] }
      let client = try await hub.open()
      for bad in [expired, "\(token)x", token] {
        _ = try await client.request("POST", "\(path)/negotiate?negotiateVersion=1&access_token=\(bad)")
        _ = try await client.request("POST", "\(path)/negotiate?negotiateVersion=1", token: bad)
      }
      _ = try await hub.open().upgrade("\(path)?access_token=\(token)&id=stale")
      _ = try await hub.open().upgrade(path, token: token, headers: ["Origin": "https://evil.example"])
      for accept in ["text/event-stream", "*/*"] {
        let negotiated = try await client.request(
          "POST",
          "\(path)/negotiate?negotiateVersion=1&placed=1&access_token=\(token)"
        )
        let object = try JSONSerialization.jsonObject(with: Data(negotiated.bytes)) as? [String: Any]
        let id = try #require(object?["connectionToken"] as? String)
        let target = "\(path)?id=\(id)&access_token=\(token)"
        #expect(try await client.request("POST", target, body: TestHub.handshake).status == 200)
        let stream = try await hub.open()
        try await stream.sendRequest("GET", target, headers: ["Accept": accept])
        #expect(try await stream.response().status == 200)
        #expect(try await client.request("POST", target, body: "\(token)\u{1E}").status == 200)
        _ = try await client.request("DELETE", target)
        await stream.close()
      }
      // The Python clients copy their headers into every message.
      let headers = #""headers":{"Authorization":"Bearer \#(token)"}"#
      for (hubProtocol, last) in [(HubProtocol.json, #"{"type":1,"target":7,\#(headers)}"#), (.messagePack, token)] {
        let socket = try await hub.open()
        _ = try await socket.upgrade("\(path)?placed=1&access_token=\(token)", token: token)
        try await socket.shakeHands(as: hubProtocol)
        if hubProtocol == .json {
          try await socket.sendFrame(#"{"type":1,"invocationId":"1","target":"X",\#(headers)}"# + "\u{1E}")
          #expect(try await socket.message().contains("Method does not exist."))
        }
        try await socket.sendFrame(last + "\u{1E}")
        guard case .close(_?, _) = try await socket.message(as: hubProtocol) else {
          throw TestConnection.Unexpected(what: "no close")
        }
        try await socket.waitForEnd()
      }
    }
    let text = recorder.all.map(\.text).joined(separator: "\n")
    #expect(text.contains("ended a connection"))
    for token in tokens.withLock(\.self) {
      #expect(!text.contains(token))
      for part in token.split(separator: ".").dropFirst() { #expect(!text.contains(part)) }
    }
  }
}
