import InAppDispatcher
import NotificationModel
import SignalRProtocol
import TestSupport
import Testing

/// How many connections a client may have, and how much it may send.
@Suite struct LimitTests {
  private let path = "/hubs/notifications"

  /// A WebSocket over a proxy; the client itself can write what it likes in front.
  private func open(_ hub: TestHub, from address: String) async throws -> Int {
    try await hub.open().upgrade(
      path,
      token: TestHub.token(.random()),
      headers: ["X-Forwarded-For": "10.9.8.\(Int.random(in: 0...255)), \(address)"]
    ).status
  }

  @Test(arguments: [false, true])
  func `connections are limited by address, which a trusted proxy gives`(isTrusted: Bool) async throws {
    try await TestHub.run(adjust: {
      $0.limits.maximumConnectionsPerAddress = 2
      $0.limits.trustsForwardedFor = isTrusted
    }) { hub in
      let first = try await open(hub, from: "192.0.2.1")
      #expect(first == 101)
      #expect(try await open(hub, from: "192.0.2.1") == 101)
      #expect(try await open(hub, from: "192.0.2.1") == 429)
      #expect(try await open(hub, from: "192.0.2.2") == (isTrusted ? 101 : 429))
      #expect(try await open(hub, from: "2001:db8::1") == (isTrusted ? 101 : 429))
      if isTrusted {
        // One household has a whole /64.
        #expect(try await open(hub, from: "2001:db8::2") == 101)
        #expect(try await open(hub, from: "2001:db8::3") == 429)
        #expect(try await open(hub, from: "2001:db8:0:1::1") == 101)
      }
      #expect(hub.server.statistics[.refused] > 0)
    }
  }

  @Test func `limits count every transport, and what goes makes room`() async throws {
    try await TestHub.run(adjust: { $0.limits.maximumConnectionsPerUser = 3 }) { hub in
      let anna = UserID.random()
      let token = try await TestHub.token(anna)
      let socket = try await hub.connect(anna)
      let stream = try await TestEventStream.open(hub, anna)
      let polls = try await TestPolling.open(hub, anna)
      for accept in ["text/event-stream", "*/*"] {
        let target = "\(path)?id=\(try await hub.negotiate(token))"
        let refused = try await hub.open().request("GET", target, token: token, headers: ["Accept": accept])
        #expect(refused.status == 429)
        #expect(refused.values("Retry-After") == ["10"])
      }
      await socket.close()
      await stream.events.close()
      #expect(try await polls.delete().status == 202)
      try await eventually("no connection is left") { hub.server.connectionCount == 0 }
      for _ in 0..<3 { _ = try await TestPolling.open(hub, anna) }
    }
  }

  @Test func `connections without a token are limited by address, too`() async throws {
    try await TestHub.run(adjust: { $0.limits.maximumConnectionsPerAddress = 2 }) { hub in
      var silent: [TestConnection] = []
      for _ in 0..<2 {
        let client = try await hub.open()
        // The answer shows that it has been counted.
        #expect(try await client.request("GET", "/health/live").status == 200)
        silent.append(client)
      }
      do {
        try await hub.open().waitForEnd()
      } catch is TestConnection.Closed {}
      #expect(hub.server.statistics[.refused] == 1)
      // Who has shown a token is no stranger any more.
      for client in silent {
        #expect(
          try await client.request("POST", "\(path)/negotiate", token: TestHub.token(.random())).status == 200
        )
      }
      for _ in 0..<2 {
        let client = try await hub.open()
        #expect(try await client.request("GET", "/health/live").status == 200)
        silent.append(client)
      }
      do {
        try await hub.open().waitForEnd()
      } catch is TestConnection.Closed {}
      #expect(hub.server.statistics[.refused] == 2)
    }
  }

  @Test func `too many messages in a second end a connection`() async throws {
    try await TestHub.run(adjust: { $0.limits.maximumMessagesPerSecond = 20 }) { hub in
      let socket = try await hub.connect(.random())
      try await socket.send((0..<60).flatMap { _ in TestConnection.masked(#"{"type":6}"# + "\u{1E}") })
      #expect(try await socket.message().contains("Too many messages; at most 20 a second are taken."))
      #expect(try await socket.frame() == .init(opcode: 8, payload: [0x03, 0xF0]))
      try await socket.waitForEnd()
      let polls = try await TestPolling.open(hub, .random())
      // More than 20 a second.
      try await eventually("its messages were too many", every: .milliseconds(1)) {
        try await polls.post(.ping).status == 404 || hub.tooManyMessages == 2
      }
      #expect(hub.tooManyMessages == 2)
    }
  }

  @Test func `many messages in one frame, or in one POST, are as many`() async throws {
    let pings = String(repeating: #"{"type":6}"# + "\u{1E}", count: 2_800)
    try await TestHub.run { hub in
      let socket = try await hub.connect(.random())
      try await socket.sendFrame(pings)
      #expect(try await socket.message().contains("Too many messages; at most 100 a second are taken."))
      #expect(try await socket.frame() == .init(opcode: 8, payload: [0x03, 0xF0]))
      let stream = try await TestEventStream.open(hub, .random())
      #expect(try await stream.post(pings).status == 200)
      #expect(try await stream.events.event().contains("Too many messages"))
      #expect(hub.tooManyMessages == 2)
    }
  }

  @Test(arguments: [33_000, 40_000, 300_000, 3_000_000])
  func `a message beyond the limit ends any connection, with a Close that says so`(size: Int) async throws {
    let long = String(repeating: "x", count: size)
    func isRefusal(_ message: HubMessage?) -> Bool {
      if case .close(let error?, false) = message { error.contains("B was exceeded.") } else { false }
    }
    try await TestHub.run { hub in
      for hubProtocol in HubProtocol.allCases {
        let socket = try await hub.connect(.random(), as: hubProtocol)
        // Its close frame may come before it has been sent.
        await socket.trySending { try await $0.sendFrame(hubProtocol.framed(Array(long.utf8)), opcode: 2) }
        #expect(isRefusal(try await socket.message(as: hubProtocol)))
        #expect(try await socket.frame() == .init(opcode: 8, payload: [0x03, 0xF1]))
        try await socket.waitForEnd()

        let polls = try await TestPolling.open(hub, .random(), as: hubProtocol)
        await polls.posts.trySending {
          try await $0.sendRequest("POST", polls.target, token: polls.token, body: hubProtocol.framed(Array(long.utf8)))
        }
        #expect(isRefusal(try await polls.messages().last))
        #expect(try await polls.poll().status == 204)
      }
      let stream = try await TestEventStream.open(hub, .random())
      await stream.posts.trySending {
        try await $0.sendRequest("POST", stream.target, token: stream.token, body: Array(long.utf8))
      }
      #expect(try await stream.events.event().contains("B was exceeded."))
      try await stream.events.waitForEnd()

      let young = try await hub.open()
      #expect(try await young.upgrade(path, token: TestHub.token(.random())).status == 101)
      await young.trySending { try await $0.sendFrame(long) }
      #expect(try await young.message().hasPrefix(#"{"error":"The handshake cannot be read. The maximum"#))
      try await eventually("no connection is left") { hub.server.connectionCount == 0 }
      #expect(hub.server.statistics[.ended(.protocolError)] == 6)
    }
  }

  @Test func `a POST brings as many messages as a client has gathered, up to 256 KiB`() async throws {
    try await TestHub.run { hub in
      let stream = try await TestEventStream.open(hub, .random())
      let padding = String(repeating: "x", count: 3_000)
      func calls(_ count: Int) -> String {
        (1...count).map { #"{"type":1,"invocationId":"\#($0)","target":"X","arguments":["\#(padding)"]}"# + "\u{1E}" }
          .joined()
      }
      #expect(try await stream.post(calls(24)).status == 200)
      for id in 1...24 { #expect(try await stream.events.event().contains(#""invocationId":"\#(id)""#)) }
      let most = calls(75).utf8.count
      #expect(most < 262_144 && most > 220_000)
      try await eventually("all were called") { hub.server.statistics[.called] == 24 }
      #expect(try await stream.post(calls(75)).status == 200)
      for id in 1...75 { #expect(try await stream.events.event().contains(#""invocationId":"\#(id)""#)) }
    }
  }

  @Test func `nobody without a token makes the hub keep a body`() async throws {
    try await TestHub.run { hub in
      for token in [nil, "x.y.z"] {
        let client = try await hub.open()
        let credentials = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        try await client.send("POST \(path)?id=x HTTP/1.1\r\nContent-Length: 100000\r\n\(credentials)\r\nthe beginning")
        #expect(try await client.response().status == 401)
        // The rest means nothing, and the next request does.
        try await client.send(Array(repeating: 0x20, count: 100_000 - "the beginning".utf8.count))
        #expect(try await client.request("GET", "/health/live").status == 200)
      }
    }
  }

  /// Begins a POST, of 256 KiB unless its head says otherwise.
  ///
  /// - Returns: What the hub says before it gets the body.
  private func beginPost(
    _ hub: TestHub,
    _ token: String,
    length: String = "Content-Length: 262144"
  ) async throws -> (client: TestConnection, status: Int) {
    let client = try await hub.open()
    try await client.send(
      "POST \(path)?id=x HTTP/1.1\r\n\(length)\r\nExpect: 100-continue\r\n"
        + "Authorization: Bearer \(token)\r\n\r\n"
    )
    return (client, try await client.response().status)
  }

  @Test func `what one user has begun to send is limited in all, until it has come or its client has gone`()
    async throws
  {
    try await TestHub.run { hub in
      let (anna, ben) = (try await TestHub.token(.random()), try await TestHub.token(.random()))
      let half = [UInt8](repeating: 0x20, count: 131_072)
      var begun: [TestConnection] = []
      for _ in 0..<4 {
        let post = try await beginPost(hub, anna)
        #expect(post.status == 100)
        try await post.client.send(half)
        begun.append(post.client)
      }
      let refused = try await beginPost(hub, anna)
      #expect(refused.status == 429)
      try await refused.client.waitForEnd()
      let other = try await beginPost(hub, ben)
      #expect(other.status == 100)

      try await begun[0].send(half)
      #expect(try await begun[0].response().status == 404)
      let next = try await beginPost(hub, anna)
      #expect(next.status == 100)
      #expect(try await beginPost(hub, anna).status == 429)
      await begun[1].close()
      try await eventually("there is room again") { try await beginPost(hub, anna).status == 100 }
    }
  }

  @Test func `a body in chunks counts by what has come of it, at least 32 KiB`() async throws {
    try await TestHub.run { hub in
      let anna = try await TestHub.token(.random())
      var begun: [TestConnection] = []
      for _ in 0..<10 {
        let post = try await beginPost(hub, anna, length: "Transfer-Encoding: chunked")
        #expect(post.status == 100)
        try await post.client.send("14\r\n01234567890123456789\r\n")
        begun.append(post.client)
      }
      let whole = [try await beginPost(hub, anna), try await beginPost(hub, anna)]
      #expect(whole.map(\.status) == [100, 100])
      // 192 KiB are left.
      let growing = begun.removeLast()
      try await growing.send("38000\r\n\(String(repeating: " ", count: 0x38000))\r\n")
      #expect(try await growing.response().status == 429)
      // The rest means nothing, and the next request does.
      try await growing.send("0\r\n\r\n")
      #expect(try await growing.request("GET", "/health/live").status == 200)
      for client in begun {
        try await client.send("0\r\n\r\n")
        #expect(try await client.response().status == 404)
      }
    }
  }

  @Test func `a body that takes too long makes room`() async throws {
    try await TestHub.run(adjust: { $0.limits.requestTimeout = .seconds(1) }) { hub in
      let anna = try await TestHub.token(.random())
      for _ in 0..<3 {
        var begun: [TestConnection] = []
        for _ in 0..<4 {
          try await eventually("there is room again") {
            let post = try await beginPost(hub, anna)
            begun.append(post.client)
            return post.status == 100
          }
        }
        for client in begun { try await client.waitForEnd() }
      }
    }
  }

  @Test(arguments: ["Content-Length: 1000000", "Transfer-Encoding: chunked"])
  func `a body in front of a WebSocket is refused beyond the limit, and the node goes on`(length: String) async throws {
    try await TestHub.run { hub in
      let token = try await TestHub.token(.random())
      let client = try await hub.open()
      let parts = length.split(separator: ": ").map(String.init)
      try await client.sendUpgrade(path, token: token, headers: [parts[0]: parts[1]])
      let text = String(repeating: "x", count: 0x10000)
      await client.trySending { client in
        for _ in 0..<10 { try await client.send(parts[1] == "chunked" ? "10000\r\n\(text)\r\n" : text) }
      }
      #expect(try await client.response().status == 413)
      let other = try await hub.open()
      #expect(try await other.request("GET", "/health/live").status == 200)
    }
  }

  @Test func `bodies and messages have limits`() async throws {
    try await TestHub.run { hub in
      let token = try await TestHub.token(.random())
      let early = "\(path)?id=\(try await hub.negotiate(token))"
      let posts = try await hub.open()
      let half = String(repeating: "x", count: 20_000)
      #expect(try await posts.request("POST", early, token: token, body: half).status == 200)
      #expect(try await posts.request("POST", early, token: token, body: half).status == 413)
      #expect(try await posts.request("POST", early, token: token, body: half + half + half + half).status == 413)
      await posts.trySending {
        try await $0.sendRequest("POST", early, token: token, body: Array(repeating: 0x20, count: 300_000))
      }
      try await posts.waitForEnd()

      let polls = try await TestPolling.open(hub, .random())
      #expect(try await polls.post(Array(half.utf8)).status == 200)
      #expect(try await polls.post(Array(half.utf8)).status == 200)
      guard case .close(let error?, false)? = try await polls.messages().first else {
        throw TestConnection.Unexpected(what: "no close")
      }
      #expect(error.contains("32768B was exceeded"))
      #expect(try await polls.poll().status == 204)
    }
  }

  @Test func `what one user sends before its transports come is limited in all`() async throws {
    try await TestHub.run(adjust: { $0.limits.negotiationTimeout = .seconds(2) }) { hub in
      let token = try await TestHub.token(.random())
      let posts = try await hub.open()
      let body = String(repeating: "x", count: 30_000)
      func post(_ id: String) async throws -> Int {
        try await posts.request("POST", "\(path)?id=\(id)", token: token, body: body).status
      }
      let first = try await hub.negotiate(token)
      #expect(try await post(first) == 200)
      #expect(try await post(hub.negotiate(token)) == 200)
      #expect(try await post(hub.negotiate(token)) == 413)
      // With an id that is over, what was sent to it is forgotten.
      try await eventually("the first is over") { try await post(first) == 404 }
      let later = try await hub.negotiate(token)
      try await eventually("there is room again") { try await post(later) == 200 }
    }
  }

  @Test func `a node's list of ids is limited`() async throws {
    try await TestHub.run(adjust: { $0.limits.maximumConnections = 1 }) { hub in
      let client = try await hub.open()
      var statuses: [Int] = []
      for _ in 0..<3 {
        let token = try await TestHub.token(.random())
        statuses.append(try await client.request("POST", "\(path)/negotiate", token: token).status)
      }
      #expect(statuses == [200, 200, 429])
    }
  }

  @Test func `one user cannot fill the list of negotiated ids`() async throws {
    try await TestHub.run(adjust: {
      $0.limits.maximumConnectionsPerUser = 2
      $0.limits.negotiationTimeout = .seconds(6)
    }) { hub in
      let (anna, ben) = (try await TestHub.token(.random()), try await TestHub.token(.random()))
      let client = try await hub.open()
      for _ in 0..<8 { #expect(try await client.request("POST", "\(path)/negotiate", token: anna).body.contains("Id")) }
      let refused = try await client.request("POST", "\(path)/negotiate", token: anna)
      #expect(refused.status == 429)
      #expect(refused.values("Retry-After") == ["10"])
      #expect(hub.server.statistics[.refused] == 1)
      #expect(try await client.request("POST", "\(path)/negotiate", token: ben).body.contains("connectionId"))
      try await eventually("there is room again") {
        try await client.request("POST", "\(path)/negotiate", token: anna).body.contains("connectionId")
      }
    }
  }
}

extension TestHub {
  fileprivate var tooManyMessages: Int { server.statistics[.ended(.tooManyMessages)] }
}

extension TestConnection {
  /// A short text frame as a client sends it.
  static func masked(_ text: String) -> [UInt8] {
    [0x81, 0x80 | UInt8(text.utf8.count), 0, 0, 0, 0] + Array(text.utf8)
  }
}
