import NotificationModel
import NotificationQueue
import SignalRProtocol
import TestSupport
import Testing

@testable import InAppDispatcher

/// Whatever comes over the node's queue is written in every form, or left out.
@Suite struct RealtimeFuzzTests {
  @Test func `events and relays of any kind`() throws {
    var all = FormSet()
    for path in HubPath.allCases { for form in WireForm.allCases { all.formUnion(FormSet(form, path)) } }
    var count = 0
    for message in try HostileMessages.realtime().decoded {
      var encoder = RealtimeEncoder(contents: message.contents, catalogue: nil)
      for event in message.events where !encoder.encode(event, for: all).isEmpty { count += 1 }
      for relay in message.relays { _ = RealtimeEncoder.encode(relay, for: all) }
    }
    #expect(count > 100)
  }

  @Test func `what can be decoded is delivered to those it names, and good events still arrive`() async throws {
    let hostile = try HostileMessages.realtime()
    let users = Set(hostile.seeds.flatMap { $0.events.map(\.userId) + $0.relays.flatMap(\.userIds) })
    try await TestHub.run { hub in
      var clients: [(user: UserID, connection: TestConnection)] = []
      for user in users { clients.append((user, try await hub.connect(user))) }
      let messages = hostile.decoded
      // Some at a time: no more than may wait for a client.
      for (number, start) in stride(from: 0, to: messages.count, by: 50).enumerated() {
        try await hub.server.deliver(Array(messages[start..<min(start + 50, messages.count)]))
        // A count that none of them has.
        let good = 1_000_000_000 + number
        for client in clients { try await hub.server.deliver([TestHub.unread(client.user, good)]) }
        for client in clients {
          while try await client.connection.message() != TestHub.unreadMessage(good) {}
        }
      }
      #expect(hub.server.connectionCount == users.count)
      #expect(messages.count > 100)
    }
  }
}
