import Glibc
import InAppDispatcher
import NotificationModel
import SignalRProtocol
import TestSupport
import Testing

/// What becomes of a client that does not read what it is sent.
@Suite struct SlowClientTests {
  @Test func `an event stream that is not read is dropped`() async throws {
    try await TestHub.run(adjust: { $0.limits.maximumPendingBytes = 65_536 }) { hub in
      let anna = UserID.random()
      let token = try await TestHub.token(anna)
      let target = "/hubs/notifications?id=\(try await hub.negotiate(token))"
      #expect(try await hub.open().request("POST", target, token: token, body: TestHub.handshake).status == 200)
      let slow = try await hub.open(reads: false)
      try await slow.sendRequest("GET", target, token: token, headers: ["Accept": "text/event-stream"])
      try await eventually("it is connected") { hub.server.statistics[.established] == 1 }
      try await eventually("the slow client is dropped") {
        for _ in 0..<10 { try await hub.server.deliver([TestHub.noise(anna)]) }
        return hub.server.statistics[.ended(.slow)] == 1
      }
      try await eventually("no connection is left") { hub.server.connectionCount == 0 }
    }
  }

  @Test func `a client that begins to read late gets all in order and whole`() async throws {
    try await TestHub.run(adjust: { $0.limits.maximumPendingBytes = 1_073_741_824 }) { hub in
      let anna = UserID.random()
      let late = try await hub.open(reads: false)
      try await late.sendUpgradeAndHandshake(token: TestHub.token(anna))
      try await eventually("it is connected") { hub.server.statistics[.established] == 1 }
      // First straight to the socket, then what it does not take through the channel.
      for count in 1...100 {
        try await hub.server.deliver([TestHub.unread(anna, count), TestHub.noise(anna)])
        if count % 10 == 0 { try await late.sendFrame("\(count)", opcode: 9) }
      }
      try await late.setReading(true)
      #expect(try await late.response().status == 101)
      #expect(try await late.message() == "{}")
      var counts: [String] = []
      while counts.count < 100 {
        let frame = try await late.frame()
        let isPing = frame.text.hasPrefix(#"{"type":6}"#)
        if frame.opcode == 10 || isPing || frame.text.contains("Noise") { continue }
        counts.append(String(frame.text.dropLast()))
      }
      #expect(counts == (1...100).map { TestHub.unreadMessage($0) })
      // Then straight to the socket again.
      try await hub.server.deliver([TestHub.unread(anna, 101)])
      while true {
        let frame = try await late.frame()
        if frame.text.contains("UnreadCountChanged") {
          #expect(String(frame.text.dropLast()) == TestHub.unreadMessage(101))
          break
        }
      }
      #expect(hub.server.connectionCount == 1)
    }
  }

  @Test(arguments: [HubTransport.webSockets, .serverSentEvents])
  func `what the sockets do not take at once stays whole, in order, and with whom it is for`(transport: HubTransport)
    async throws
  {
    // All connections share the buffer of one event loop.
    try await TestHub.run(adjust: {
      $0.threads = 1
      $0.limits.maximumPendingBytes = 1_073_741_824
      // However slow the machine is.
      $0.limits.sendTimeout = .seconds(600)
      $0.timing.pingInterval = .seconds(600)
    }) { hub in
      let (anna, ben) = (UserID.random(), UserID.random())
      let stream = transport == .serverSentEvents ? try await TestEventStream.open(hub, anna) : nil
      let late: TestConnection
      if let stream { late = stream.events } else { late = try await hub.connect(anna) }
      let quick = try await hub.connect(ben)
      let noise = #"{"type":1,"target":"Noise","arguments":[{"noise":"\#(String(repeating: "x", count: 50_000))"}]}"#
      // Each time the socket is full at another point of what is written at once.
      for round in 0..<5 {
        try await late.setReading(false)
        for _ in 0..<round { try await hub.server.deliver([TestHub.noise(anna)]) }
        for count in 1...50 {
          try await hub.server.deliver([
            TestHub.unread(anna, count), TestHub.noise(anna), TestHub.noise(anna), TestHub.unread(anna, 1_000 + count),
            TestHub.noise(anna), TestHub.unread(anna, 2_000 + count), TestHub.unread(ben, count),
          ])
        }
        for count in 1...50 { #expect(try await quick.message() == TestHub.unreadMessage(count)) }
        try await late.setReading(true)
        var expected = Array(repeating: noise, count: round)
        for count in 1...50 {
          expected += [TestHub.unreadMessage(count), noise, noise, TestHub.unreadMessage(1_000 + count)]
          expected += [noise, TestHub.unreadMessage(2_000 + count)]
        }
        for message in expected {
          var text = ""
          repeat {
            text = if stream == nil { try await late.message() } else { try await late.event() }
          } while text == #"{"type":6}"#
          guard text == message else { throw TestConnection.Unexpected(what: "\(text.prefix(100))") }
        }
      }
      #expect(hub.server.connectionCount == 2)
    }
  }

  @Test func `a client that reads nothing for too long is dropped`() async throws {
    try await TestHub.run(adjust: {
      $0.limits.sendTimeout = .milliseconds(300)
      $0.limits.maximumPendingBytes = 1_073_741_824
    }) { hub in
      let anna = UserID.random()
      let slow = try await hub.open(reads: false)
      try await slow.sendUpgradeAndHandshake(token: TestHub.token(anna))
      try await eventually("it is connected") { hub.server.statistics[.established] == 1 }
      // More than the system's buffers take.
      for _ in 0..<200 { try await hub.server.deliver([TestHub.noise(anna)]) }
      try await eventually("the slow client is dropped") { hub.server.statistics[.ended(.slow)] == 1 }
      try await eventually("no connection is left") { hub.server.connectionCount == 0 }
    }
  }

  @Test func `a client whose network is gone is given up thirty seconds after a ping that it did not take`()
    async throws
  {
    try await TestHub.run { hub in
      let client = try await hub.connect(.random())
      let port = try #require(client.localPort)
      // The hub's end is a descriptor of this process, too.
      let end = try #require((0..<4_096).first { Self.peerPort(of: $0) == port })
      var milliseconds: CInt = 0
      var size = socklen_t(MemoryLayout<CInt>.size)
      #expect(getsockopt(end, CInt(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds, &size) == 0)
      #expect(milliseconds == 30_000)
    }
  }

  private static func peerPort(of descriptor: CInt) -> Int? {
    // A sockaddr_in (ip(7)): the family, then the port in network order.
    var address = [UInt8](repeating: 0, count: 128)
    var size = socklen_t(address.count)
    let status = address.withUnsafeMutableBytes { address in
      getpeername(descriptor, address.baseAddress?.assumingMemoryBound(to: sockaddr.self), &size)
    }
    guard status == 0, address[0] == UInt8(AF_INET) else { return nil }
    return Int(address[2]) << 8 | Int(address[3])
  }
}
