import Foundation
import InAppDispatcher
import BelfryJSON
import NotificationModel
import NotificationQueue
import SignalRProtocol
import TestSupport
import Testing

/// MessagePack over WebSockets, beside JSON.
@Suite struct MessagePackTests {
  @Test func `the handshake is JSON, its answer comes in a binary frame`() async throws {
    try await TestHub.run { hub in
      for opcode: UInt8 in [1, 2] {
        let client = try await hub.open()
        #expect(try await client.upgrade("/hubs/notifications", token: TestHub.token(.random())).status == 101)
        try await client.sendFrame(TestHub.handshake(.messagePack), opcode: opcode)
        #expect(try await client.frame() == .init(opcode: 2, payload: Array("{}\u{1E}".utf8)))
      }
    }
  }

  @Test(arguments: [0, 1, 2])
  func `handshake versions up to 2 are taken`(version: Int) async throws {
    try await TestHub.run { hub in
      for hubProtocol in HubProtocol.allCases {
        let client = try await hub.open()
        _ = try await client.upgrade("/hubs/notifications", token: TestHub.token(.random()))
        try await client.shakeHands(as: hubProtocol, version: version)
      }
      let newer = try await hub.open()
      _ = try await newer.upgrade("/hubs/notifications", token: TestHub.token(.random()))
      try await newer.sendFrame(TestHub.handshake(.json, version: 3))
      #expect(try await newer.message().hasPrefix(#"{"error":"The server does not support version 3"#))
      try await newer.waitForEnd()
    }
  }

  @Test func `calls are answered, whatever the client leaves out, and frames may be cut anywhere`() async throws {
    try await TestHub.run { hub in
      let client = try await hub.connect(.random(), as: .messagePack)
      try await client.send(.invocation(id: nil, target: "X", arguments: []), as: .messagePack)
      try await client.send(.invocation(id: "1", target: "X", arguments: [.string("é")]), as: .messagePack)
      let failed = HubMessage.completion(id: "1", .error(TestHub.missing("X")))
      #expect(try await client.message(as: .messagePack) == failed)
      // Five elements, without the streams: [1, {}, "1", "X", []].
      let short: [UInt8] = [0x95, 1, 0x80, 0xA1, 0x31, 0xA1, 0x58, 0x90]
      let record = HubProtocol.messagePack.framed(short)
      for byte in record { try await client.sendFrame([byte], opcode: 2) }
      #expect(try await client.message(as: .messagePack) == failed)
      try await client.sendFrame(record + record, opcode: 2)
      for _ in 0..<2 { #expect(try await client.message(as: .messagePack) == failed) }
    }
  }

  @Test func `what is no MessagePack ends the connection with an error`() async throws {
    try await TestHub.run { hub in
      let client = try await hub.connect(.random(), as: .messagePack)
      try await client.sendFrame([0x02, 0xC1, 0xC1], opcode: 2)
      guard case .close(let error?, false) = try await client.message(as: .messagePack) else {
        throw TestConnection.Unexpected(what: "no close")
      }
      #expect(error.hasPrefix("Connection closed with an error."))
      #expect(try await client.frame().opcode == 8)
      try await client.waitForEnd()
    }
  }

  @Test func `a notification has the same thirteen members and values as in JSON`() async throws {
    try await TestHub.run { hub in
      let anna = UserID.random()
      var notifications: [[String: HubValue]] = []
      for hubProtocol in HubProtocol.allCases {
        let client = try await hub.connect(anna, as: hubProtocol)
        try await hub.server.deliver([
          TestHub.message(
            events: #"""
              {"kind":"notification","userId":"\#(anna)","notificationId":"0197a6de-3c4a-7b2e-9d6f-5b1f0c9a2e11",
               "content":0,"seq":7,"unread":3}
              """#
          )
        ])
        guard
          case .invocation(nil, "ReceiveNotification", let arguments, _) = try hubProtocol.messages(
            in: await client.frame().payload
          ).first, case .object(let members)? = arguments.first
        else { throw TestConnection.Unexpected(what: "no notification") }
        #expect(arguments.count == 1)
        #expect(members.count == 21)
        notifications.append(Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0.value) }))
        #expect(
          try await client.message(as: hubProtocol)
            == .invocation(id: nil, target: "UnreadCountChanged", arguments: [.integer(3)])
        )
        await client.close()
        try await eventually("no connection is left") { hub.server.connectionCount == 0 }
      }
      #expect(notifications[0] == notifications[1])
      #expect(notifications[1]["readAt"] == .null)
      #expect(notifications[1]["seq"] == .integer(7))
      #expect(notifications[1]["isRead"] == .bool(false))
      #expect(notifications[1]["title"] == .string(#"Ünïcode "title""#))
    }
  }

  @Test func `one user's clients get everything, each in its own protocol and transport`() async throws {
    try await TestHub.run { hub in
      let anna = UserID.random()
      let text = try await hub.connect(anna)
      let binary = try await hub.connect(anna, as: .messagePack)
      let stream = try await TestEventStream.open(hub, anna)
      let polls = [
        try await TestPolling.open(hub, anna), try await TestPolling.open(hub, anna, as: .messagePack),
      ]
      for count in 1...5 { try await hub.server.deliver([TestHub.unread(anna, count)]) }
      #expect(hub.server.statistics[.delivered] == 5 * 5)
      var polled: [[HubMessage]] = []
      for client in polls { polled.append(try await client.messages()) }
      for count in 1...5 {
        let expected = HubMessage.invocation(
          id: nil,
          target: "UnreadCountChanged",
          arguments: [.integer(Int64(count))]
        )
        #expect(try await text.message(as: .json) == expected)
        #expect(try await binary.message(as: .messagePack) == expected)
        #expect(try await stream.events.event() == TestHub.unreadMessage(count))
        for messages in polled { #expect(messages[count - 1] == expected) }
      }
    }
  }

  @Test func `pings and the goodbye are MessagePack too`() async throws {
    try await TestHub.run(adjust: { $0.timing.pingInterval = .milliseconds(40) }) { hub in
      let client = try await hub.connect(.random(), as: .messagePack)
      #expect(try await client.frame() == .init(opcode: 2, payload: [0x02, 0x91, 0x06]))
      hub.server.sendEverybodyAway()
      #expect(try await client.nextMessage(as: .messagePack) == .close(error: nil, allowReconnect: true))
      #expect(try await client.frame() == .init(opcode: 8, payload: [0x03, 0xE9]))
    }
  }
}
