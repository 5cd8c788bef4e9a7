import Foundation
import InAppDispatcher
import NotificationModel
import SignalRProtocol
import TestSupport
import Testing
import WallClock

@Suite struct HubDeliveryTests {
  @Test func `each connection of the recipient receives it once, and nobody else`() async throws {
    try await TestHub.run { hub in
      let (anna, ben) = (UserID.random(), UserID.random())
      let clients = [
        try await hub.connect(anna), try await hub.connect(anna), try await hub.connect(anna),
      ]
      let bystander = try await hub.connect(ben)
      let id = NotificationID(UUID())
      try await hub.server.deliver([
        TestHub.message(
          events: #"""
            {"kind":"notification","userId":"\#(anna)","notificationId":"\#(id)","content":0,"seq":7,"unread":3},
            {"kind":"notification","userId":"\#(UserID.random())","notificationId":"\#(id)","content":0,"seq":1,"unread":1}
            """#
        )
      ])
      try await hub.server.deliver([TestHub.unread(anna, 99), TestHub.unread(ben, 98)])
      for client in clients {
        let received = try await client.message()
        try expectNotification(received, id: id)
        #expect(try await client.message() == TestHub.unreadMessage(3))
        #expect(try await client.message() == TestHub.unreadMessage(99))
      }
      #expect(try await bystander.message() == TestHub.unreadMessage(98))
      #expect(hub.server.statistics[.delivered] == 3 + 3 + 1)
    }
  }

  private func expectNotification(_ message: String, id: NotificationID) throws {
    let json = try JSONSerialization.jsonObject(with: Data(message.utf8)) as? [String: Any]
    #expect(json?["type"] as? Int == 1)
    #expect(json?["target"] as? String == "ReceiveNotification")
    let notification = try #require((json?["arguments"] as? [[String: Any]])?.first)
    #expect(notification["id"] as? String == id.description)
    #expect(notification["seq"] as? Int == 7)
    #expect(notification["type"] as? Int == 10)
    #expect(notification["typeName"] as? String == "AllowanceDeposit")
    #expect(notification["title"] as? String == #"Ünïcode "title""#)
    #expect(notification["body"] as? String == "$10.00 added")
    #expect(notification["data"] as? String == #"{"amount":"$10.00","balance":"$42.00"}"#)
    #expect(notification["isRead"] as? Bool == false)
    #expect(notification["readAt"] is NSNull)
    let created = try #require(notification["createdAt"] as? String)
    let time = try #require(Date(rfc3339: created))
    #expect(time == Date(rfc3339: "2026-11-21T04:30:00Z"))
    #expect(created.hasSuffix("Z"))
    #expect(notification["relatedEntityType"] as? String == "Transaction")
    #expect(notification["relatedEntityId"] as? String == "t-1")
    #expect(notification["timeAgo"] as? String == TimeAgo.text(from: time, to: .now))
    #expect(notification["category"] is NSNull)
    #expect((notification["actions"] as? [Any])?.isEmpty == true)
    #expect(notification["dataObject"] as? [String: String] == ["amount": "$10.00", "balance": "$42.00"])
    #expect(notification.count == 21)
  }

  @Test func `a notification read elsewhere is published`() async throws {
    try await TestHub.run { hub in
      let (anna, id) = (UserID.random(), NotificationID(UUID()))
      let client = try await hub.connect(anna)
      try await hub.server.deliver([
        TestHub.message(events: #"{"kind":"read","userId":"\#(anna)","notificationId":"\#(id)","unread":0}"#)
      ])
      #expect(try await client.message() == #"{"type":1,"target":"NotificationRead","arguments":["\#(id)"]}"#)
      #expect(try await client.message() == TestHub.unreadMessage(0))
    }
  }

  @Test func `an event without its content is dropped and spoils no other`() async throws {
    try await TestHub.run { hub in
      let anna = UserID.random()
      let client = try await hub.connect(anna)
      try await hub.server.deliver([
        TestHub.message(
          events: #"""
            {"kind":"notification","userId":"\#(anna)","notificationId":"\#(anna)","content":5,"seq":1,"unread":1},
            {"kind":"unread","userId":"\#(anna)","unread":4}
            """#
        )
      ])
      #expect(try await client.message() == TestHub.unreadMessage(4))
      #expect(hub.server.statistics[.undecodable] == 1)
    }
  }

  @Test func `before its handshake a connection receives nothing, and after its end neither`() async throws {
    try await TestHub.run { hub in
      let anna = UserID.random()
      let client = try await hub.open()
      _ = try await client.upgrade("/hubs/notifications", token: TestHub.token(anna))
      try await hub.server.deliver([TestHub.unread(anna, 1)])
      try await client.sendFrame(TestHub.handshake)
      #expect(try await client.message() == "{}")
      try await hub.server.deliver([TestHub.unread(anna, 2)])
      #expect(try await client.message() == TestHub.unreadMessage(2))
      await client.close()
      try await eventually("no connection is left") { hub.server.connectionCount == 0 }
      try await hub.server.deliver([TestHub.unread(anna, 3)])
      #expect(hub.server.statistics[.delivered] == 1)
    }
  }

  @Test func `many connections on all event loops receive many events in order`() async throws {
    try await TestHub.run { hub in
      let users = (0..<50).map { _ in UserID.random() }
      var clients: [(UserID, TestConnection)] = []
      for user in users {
        for _ in 0..<2 { clients.append((user, try await hub.connect(user))) }
      }
      for count in 1...20 {
        try await hub.server.deliver(users.map { try TestHub.unread($0, count) })
      }
      for (_, client) in clients {
        for count in 1...20 { #expect(try await client.message() == TestHub.unreadMessage(count)) }
      }
      #expect(hub.server.statistics[.delivered] == 50 * 2 * 20)
    }
  }

  @Test(arguments: [1, 2, 31, 32, 33, 64, 65, 100])
  func `many events at once for one connection come in order, beside those of others`(count: Int) async throws {
    try await TestHub.run(adjust: { $0.threads = 1 }) { hub in
      let (anna, ben) = (UserID.random(), UserID.random())
      let clients = (
        try await hub.connect(ben), try await hub.connect(anna), try await hub.connect(anna), try await hub.connect(ben)
      )
      let messages = try (1...count).flatMap { [try TestHub.unread(anna, $0), try TestHub.unread(ben, 1_000 + $0)] }
      try await hub.server.deliver(messages)
      for number in 1...count {
        for client in [clients.1, clients.2] { #expect(try await client.message() == TestHub.unreadMessage(number)) }
        for client in [clients.0, clients.3] {
          #expect(try await client.message() == TestHub.unreadMessage(1_000 + number))
        }
      }
      #expect(hub.server.statistics[.delivered] == 4 * count)
    }
  }

  /// Events go straight to descriptors, whose numbers the next connections get.
  @Test(arguments: [1, 2])
  func `clients that come and go all the while get nothing of each other's`(threads: Int) async throws {
    try await TestHub.run(adjust: { $0.threads = threads }) { hub in
      let users = (0..<24).map { _ in UserID.random() }
      try await withThrowingTaskGroup(of: Int.self) { group in
        // Beside the clients, until they are done.
        group.addTask {
          var round = 0
          while !Task.isCancelled {
            round += 1
            // Each user's own number, so that nobody's can be mistaken for another's.
            let messages = try users.enumerated().map { try TestHub.unread($1, $0 * 1_000_000 + round) }
            try await hub.server.deliver(messages)
            // It may not have waited for anything: others have to get their turn, also in processes with few threads.
            await Task.yield()
          }
          return 0
        }
        for (number, user) in users.enumerated() {
          // All at once, so that descriptors change hands.
          group.addTask {
            var received = 0
            for life in 0..<40 {
              let client = try await hub.connect(user)
              var last = 0
              for _ in 0..<(life % 7 + 1) {
                let count = try #require(try await client.message(as: .json).unreadCount)
                #expect(count / 1_000_000 == number)
                #expect(count > last)
                last = count
                received += 1
              }
              // At once, by a goodbye, or just so.
              switch life % 3 {
              case 0: try await client.reset()
              case 1: await client.close()
              default: try await client.sendFrame([0x03, 0xE8], opcode: 8)
              }
            }
            return received
          }
        }
        var received = 0
        for _ in users { received += try await group.next() ?? 0 }
        group.cancelAll()
        #expect(received == users.count * (0..<40).reduce(0) { $0 + $1 % 7 + 1 })
      }
      try await eventually("no connection is left") { hub.server.connectionCount == 0 }
    }
  }

  @Test func `a client that does not read is dropped and holds nobody up`() async throws {
    try await TestHub.run(adjust: { $0.limits.maximumPendingBytes = 65_536 }) { hub in
      let anna = UserID.random()
      let slow = try await hub.open(reads: false)
      try await slow.sendUpgradeAndHandshake(token: TestHub.token(anna))
      let quick = try await hub.connect(anna)
      try await eventually("both are connected") { hub.server.statistics[.established] == 2 }
      try await eventually("the slow client is dropped") {
        for _ in 0..<10 {
          try await hub.server.deliver([TestHub.noise(anna)])
          _ = try await quick.frame()
        }
        return hub.server.statistics[.ended(.slow)] == 1
      }
      try await eventually("one connection is left") { hub.server.connectionCount == 1 }
      try await hub.server.deliver([TestHub.unread(anna, 5)])
      #expect(try await quick.message() == TestHub.unreadMessage(5))
    }
  }
}

extension TestConnection {
  /// For a client that does not read the answers.
  func sendUpgradeAndHandshake(token: String) async throws {
    try await send(
      "GET /hubs/notifications HTTP/1.1\r\nHost: hub.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        + "Authorization: Bearer \(token)\r\n\r\n"
    )
    try await sendFrame(TestHub.handshake)
  }
}
