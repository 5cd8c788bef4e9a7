import InAppDispatcher
import NotificationModel
import SignalRProtocol
import TestSupport
import Testing

/// Stateful reconnect: WebSockets that come and go under one connection.
@Suite struct StatefulReconnectTests {
  private func call(_ id: Int) -> HubMessage { .invocation(id: "\(id)", target: "X\(id)", arguments: []) }

  private func answer(_ id: Int) -> HubMessage {
    .completion(id: "\(id)", .error(TestHub.missing("X\(id)")))
  }

  @Test(arguments: HubProtocol.allCases)
  func `what was lost with a WebSocket comes again over the next, in order and once`(
    hubProtocol: HubProtocol
  ) async throws {
    try await TestHub.run { hub in
      let anna = UserID.random()
      let client = try await StatefulClient(hub, anna, as: hubProtocol)
      for count in 1...3 { try await hub.server.deliver([TestHub.unread(anna, count)]) }
      try await client.expect(1...3)
      try await client.send(.ack(sequenceID: 2))
      // WebSockets land on the event loops by turns, so some of these are on another one than the connection.
      for round in 1...4 {
        try await client.socket.reset()
        try await hub.server.deliver([TestHub.unread(anna, 3 + round)])
        #expect(hub.server.connectionCount == 1)
        // An acknowledgement that was on its way when the socket broke may be lost.
        let first = try await client.reattach()
        if round > 1 { #expect(first == 3) }
        try await client.expect(Int(first)...(3 + round))
        #expect(hub.server.statistics[.reattached] == round)
      }
      try await client.send(.ack(sequenceID: 7))
      try await hub.server.deliver([TestHub.unread(anna, 8)])
      try await client.expect(8...8)
    }
  }

  @Test func `acknowledged messages do not come again`() async throws {
    try await TestHub.run { hub in
      let anna = UserID.random()
      let client = try await StatefulClient(hub, anna)
      for count in 1...5 { try await hub.server.deliver([TestHub.unread(anna, count)]) }
      try await client.expect(1...5)
      try await client.send(.ack(sequenceID: 5))
      // The answer shows that what went before it has been read.
      try await client.send(call(1))
      #expect(try await client.numbered() == answer(1))
      try await client.socket.reset()
      #expect(try await client.reattach() == 6)
      #expect(try await client.numbered() == answer(1))
      try await client.send(.ack(sequenceID: 6))
      await client.socket.close()
      try await hub.server.deliver([TestHub.unread(anna, 7)])
      let first = try await client.reattach()
      #expect([6, 7].contains(first))
      if first == 6 { #expect(try await client.numbered() == answer(1)) }
      try await client.expect(7...7)
    }
  }

  @Test func `calls that the client repeats are carried out once, and acknowledged`() async throws {
    try await TestHub.run { hub in
      let client = try await StatefulClient(hub, .random())
      for id in 1...3 { try await client.send(call(id)) }
      for id in 1...3 { #expect(try await client.numbered() == answer(id)) }
      #expect(hub.server.statistics[.called] == 3)
      try await client.socket.reset()
      #expect(try await client.reattach(beginningAt: 2) == 1)
      for id in 2...4 { try await client.send(call(id)) }
      for id in 1...4 { #expect(try await client.numbered() == answer(id)) }
      #expect(hub.server.statistics[.called] == 4)
      while true {
        guard case .ack(let id) = try await client.socket.message(as: .json) else { continue }
        #expect(id == 4)
        break
      }
    }
  }

  @Test(arguments: HubProtocol.allCases)
  func `calls that come at once after a reconnect are no flood, and all are answered`(hubProtocol: HubProtocol)
    async throws
  {
    try await TestHub.run(adjust: { $0.limits.maximumMessagesPerSecond = 20 }) { hub in
      let client = try await StatefulClient(hub, .random(), as: hubProtocol)
      for id in 1...10 { try await client.send(call(id)) }
      for id in 1...10 { #expect(try await client.numbered() == answer(id)) }
      for _ in 1...3 {
        try await client.socket.reset()
        _ = try await client.reattach()
        for id in 1...400 { try await client.send(call(id)) }
        for id in 1...400 { #expect(try await client.numbered() == answer(id)) }
      }
      #expect(hub.server.statistics[.called] == 400)
      #expect(hub.server.connectionCount == 1)
    }
  }

  @Test(arguments: [[0x03, 0xE8], [0x03, 0xE9], []] as [[UInt8]])
  func `a client that closes its WebSocket is gone at once, one whose network breaks is not`(status: [UInt8])
    async throws
  {
    try await TestHub.run(adjust: { $0.limits.reconnectTimeout = .seconds(600) }) { hub in
      let client = try await StatefulClient(hub, .random())
      // Over the next WebSocket, which is on another event loop, too.
      let taken = try await StatefulClient(hub, .random())
      try await taken.socket.reset()
      _ = try await taken.reattach()
      let broken = try await StatefulClient(hub, .random())
      try await broken.socket.reset()
      for (left, client) in [(2, client), (1, taken)] {
        try await client.socket.sendFrame(status, opcode: 8)
        try await client.socket.waitForEnd()
        try await eventually("\(left) connections are left") { hub.server.connectionCount == left }
        #expect(try await hub.open().upgrade(client.target, token: client.token).status == 404)
      }
      #expect(hub.server.statistics[.ended(.byClient)] == 2)
      #expect(try await broken.reattach() == 1)
    }
  }

  @Test func `a new WebSocket takes the place of one that is still open`() async throws {
    try await TestHub.run { hub in
      let anna = UserID.random()
      let client = try await StatefulClient(hub, anna)
      for round in 1...4 {
        let old = client.socket
        #expect(try await client.reattach() == 1)
        try await old.waitForEnd()
        try await hub.server.deliver([TestHub.unread(anna, round)])
        try await client.expect(1...round)
        #expect(hub.server.connectionCount == 1)
      }
    }
  }

  @Test func `events keep coming in order while the WebSocket is cut again and again`() async throws {
    try await TestHub.run { hub in
      let anna = UserID.random()
      let client = try await StatefulClient(hub, anna)
      let total = 2_000
      async let delivered: Void = {
        for count in 1...total {
          try await hub.server.deliver([TestHub.unread(anna, count)])
          await Task.yield()
        }
      }()
      var last = 0
      while last < total {
        do {
          for _ in 0..<(total / 20) where last < total {
            guard case .invocation(_, _, let arguments, _) = try await client.numbered(),
              let count = arguments.first?.integerValue
            else { throw TestConnection.Unexpected(what: "no event") }
            #expect(client.received == count)
            // What comes again was received before; nothing is left out.
            #expect(count <= last + 1)
            last = max(last, Int(count))
          }
          try await client.send(.ack(sequenceID: Int64(last - last % 3)))
        }
        try await client.socket.reset()
        _ = try await client.reattach()
      }
      try await delivered
      #expect(hub.server.connectionCount == 1)
    }
  }

  @Test func `the client's acknowledgements hold the hub back at 100,000 bytes`() async throws {
    try await TestHub.run { hub in
      let anna = UserID.random()
      let client = try await StatefulClient(hub, anna)
      for seq in 1...400 { try await hub.server.deliver([TestHub.notification(anna, seq: seq, unread: seq)]) }
      var bytes = 0
      var messages: [HubMessage] = []
      while bytes < 100_000 {
        let frame = try await client.socket.frame()
        bytes += frame.payload.count + 4
        messages += try HubProtocol.json.messages(in: frame.payload)
      }
      try await client.send(.ping)
      #expect(messages.count < 800)
      var sent = Int64(messages.count)
      try await client.send(.ack(sequenceID: sent))
      while messages.count < 800 {
        messages += try HubProtocol.json.messages(in: await client.socket.frame().payload).filter(\.isNumbered)
        if Int64(messages.count) > sent + 100 || messages.count == 800 {
          sent = Int64(messages.count)
          try await client.send(.ack(sequenceID: sent))
        }
      }
      let counts = messages.compactMap { message -> Int64? in
        guard case .invocation(_, "UnreadCountChanged", let arguments, _) = message else { return nil }
        return arguments.first?.integerValue
      }
      #expect(counts == (1...400).map { Int64($0) })
    }
  }

  @Test func `a client that does not come back in time is gone`() async throws {
    try await TestHub.run(adjust: { $0.limits.reconnectTimeout = .milliseconds(100) }) { hub in
      let client = try await StatefulClient(hub, .random())
      try await client.socket.reset()
      try await eventually("no connection is left") { hub.server.connectionCount == 0 }
      #expect(hub.server.statistics[.ended(.notReattached)] == 1)
      #expect(try await hub.open().upgrade(client.target, token: client.token).status == 404)
    }
  }

  @Test func `what waits for an absent client is bounded`() async throws {
    try await TestHub.run(adjust: { $0.limits.maximumPendingBytes = 65_536 }) { hub in
      let anna = UserID.random()
      let client = try await StatefulClient(hub, anna)
      try await client.socket.reset()
      for seq in 1...300 { try await hub.server.deliver([TestHub.notification(anna, seq: seq)]) }
      try await eventually("no connection is left") { hub.server.connectionCount == 0 }
      #expect(hub.server.statistics[.ended(.slow)] == 1)
    }
  }

  @Test(arguments: [(false, 2), (true, 1), (true, 0)])
  func `it takes the negotiation and version 2`(isNegotiated: Bool, version: Int) async throws {
    try await TestHub.run { hub in
      let anna = UserID.random()
      let client = try await StatefulClient(hub, anna, isNegotiated: isNegotiated, version: version)
      #expect(try await hub.open().upgrade(client.target, token: client.token).status == 409)
      try await hub.server.deliver([TestHub.unread(anna, 1)])
      try await client.expect(1...1)
      try await client.socket.reset()
      try await eventually("no connection is left") { hub.server.connectionCount == 0 }
      #expect(try await hub.open().upgrade(client.target, token: client.token).status == 404)
    }
  }

  @Test func `nobody else takes it up`() async throws {
    try await TestHub.run { hub in
      let client = try await StatefulClient(hub, .random())
      let foreign = try await TestHub.token(.random())
      #expect(try await hub.open().upgrade(client.target, token: foreign).status == 404)
      #expect(try await hub.open().upgrade(client.target).status == 401)
      #expect(try await hub.open().request("POST", client.target, token: client.token).status == 405)
      try await client.send(call(1))
      #expect(try await client.numbered() == answer(1))
    }
  }

  @Test(arguments: [HubMessage.ack(sequenceID: 5), .sequence(sequenceID: 9), .sequence(sequenceID: 0)])
  func `numbers that cannot be end the connection`(message: HubMessage) async throws {
    try await TestHub.run { hub in
      let client = try await StatefulClient(hub, .random())
      try await client.send(message)
      guard case .close(_?, false) = try await client.socket.message(as: .json) else {
        throw TestConnection.Unexpected(what: "no close")
      }
      try await client.socket.waitForEnd()
      try await eventually("no connection is left") { hub.server.connectionCount == 0 }
    }
  }

  @Test func `a client that says goodbye, or is sent away, does not come back`() async throws {
    try await TestHub.run { hub in
      let client = try await StatefulClient(hub, .random())
      try await client.send(.close())
      try await client.socket.waitForEnd()
      let away = try await StatefulClient(hub, .random())
      let absent = try await StatefulClient(hub, .random())
      await absent.socket.close()
      hub.server.sendEverybodyAway()
      #expect(try await away.socket.message(as: .json) == .close(error: nil, allowReconnect: true))
      try await eventually("no connection is left") { hub.server.connectionCount == 0 }
      for target in [client.target, away.target, absent.target] {
        #expect(try await hub.open().upgrade(target, token: away.token).status == 404)
      }
    }
  }

  @Test func `clients that vanish while they come back leave nothing behind`() async throws {
    try await TestHub.run(adjust: { $0.limits.reconnectTimeout = .milliseconds(200) }) { hub in
      for _ in 0..<10 {
        let client = try await StatefulClient(hub, .random())
        try await client.socket.reset()
        for _ in 0..<4 {
          let socket = try await hub.open()
          try await socket.sendUpgrade(client.target, token: client.token)
          if Bool.random() { try await Task.sleep(for: .microseconds(Int.random(in: 0..<600))) }
          try await socket.reset()
        }
      }
      try await eventually("no connection is left") { hub.server.connectionCount == 0 }
    }
  }
}
