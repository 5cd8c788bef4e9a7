import Foundation
import BelfryJSON
import NotificationModel
import NotificationQueue
import NotificationStore
import Synchronization
import TestSupport
import Testing

@testable import Router

struct EventRelayTests {
  private final class Notified: Sendable {
    let calls = Mutex<[[(shard: Shard, message: RealtimeMessage)]]>([])

    var messages: [(shard: Shard, message: RealtimeMessage)] { calls.withLock { $0.flatMap { $0 } } }
    var users: [UserID] { messages.flatMap { $0.message.relays.flatMap(\.userIds) } }
  }

  private let users = (0..<50).map { _ in UserID(UUID()) }

  private func event(to audience: Audience, _ name: String = "BalanceUpdated", padding: Int = 0) throws -> RelayedEvent
  {
    let json = """
      {"name":"\(name)","audience":{"group":"x"},
       "payload":{"childId":"c1","newBalance":12.50,"note":"\(String(repeating: "x", count: padding))"}}
      """
    var report = try FieldReader.read(EventReport.self, from: Array(json.utf8))
    report.audience = audience
    return try #require(RelayedEvent(report, type: try report.resolve(in: Catalogue(), now: .now)))
  }

  private func route(_ events: [RelayedEvent], groups: GroupStore, chunkSize: Int = 20) async throws -> Notified {
    let notified = Notified()
    let relay = EventRelay(groups: groups, chunkSize: chunkSize) { messages in
      notified.calls.withLock { $0.append(messages) }
    }
    var confirmed: [Int] = []
    try await relay.relay(events) { confirmed += $0 }
    #expect(confirmed == Array(events.indices))
    return notified
  }

  @Test func `a group's members hear of it once each, page by page, in their own shards`() async throws {
    try await TestDatabase.with { client in
      let groups = GroupStore(client: client)
      try await groups.replace("family:1", members: users)
      try await groups.replace("family:2", members: [UserID(UUID())])
      for chunkSize in [10, 20, 49, 50, 51] {
        let event = try event(to: .group("family:1", except: [users[7]]))
        let notified = try await route([event], groups: groups, chunkSize: chunkSize)
        #expect(notified.users.count == 49)
        #expect(Set(notified.users) == Set(users).subtracting([users[7]]))
        for (shard, message) in notified.messages {
          #expect(message.relays.flatMap(\.userIds).allSatisfy { Shard.of($0) == shard })
          #expect(message.events.isEmpty)
        }
      }
    }
  }

  @Test func `membership is that of the moment`() async throws {
    try await TestDatabase.with { client in
      let groups = GroupStore(client: client)
      let event = try event(to: .group("family:1", except: []))
      #expect(try await route([event], groups: groups).users.isEmpty)
      try await groups.replace("family:1", members: [users[0]])
      #expect(try await route([event], groups: groups).users == [users[0]])
      try await groups.replace("family:1", members: [users[1]])
      #expect(try await route([event], groups: groups).users == [users[1]])
    }
  }

  @Test func `events of one batch share a message per shard and keep their order, payload and spelling`() async throws {
    try await TestDatabase.with { client in
      let events = [
        try event(to: .users([users[0]]), "balanceupdated"), try event(to: .users([users[0]]), "TRANSACTIONCREATED"),
        try event(to: .users([])),
      ]
      let notified = try await route(events, groups: GroupStore(client: client))
      let relays = try #require(notified.messages.first).message.relays
      #expect(notified.messages.map(\.shard) == [Shard.of(users[0])])
      #expect(relays.map(\.name) == ["BalanceUpdated", "TransactionCreated"])
      #expect(relays.map(\.arguments) == [["childId", "newBalance"], []])
      #expect(relays.map(\.amounts) == [["newBalance", "previousBalance"], ["amount", "balanceAfter"]])
      #expect(relays.allSatisfy { $0.userIds == [users[0]] })
      #expect(relays[0].payload["newBalance"] == .number("12.50"))
    }
  }

  @Test func `many large events go out in several messages, none of them large`() async throws {
    try await TestDatabase.with { client in
      let events = try (0..<200).map { _ in try event(to: .users([users[0]]), padding: 16_000) }
      let notified = try await route(events, groups: GroupStore(client: client))
      #expect(notified.users.count == 200)
      #expect(notified.messages.count > 2)
      for message in notified.messages { #expect(QueueCoder.encode(message.message).count < 1_100_000) }
    }
  }

  @Test func `what was confirmed before a failure need not be routed again`() async throws {
    struct Failure: Error {}
    try await TestDatabase.with { client in
      let events = try (0..<200).map { _ in try event(to: .users([users[0]]), padding: 16_000) }
      let notified = Notified()
      let relay = EventRelay(groups: GroupStore(client: client), chunkSize: 20) { messages in
        if notified.messages.count == 2 { throw Failure() }
        notified.calls.withLock { $0.append(messages) }
      }
      var confirmed: [Int] = []
      await #expect(throws: Failure.self) { try await relay.relay(events) { confirmed += $0 } }
      #expect((100..<200).contains(notified.users.count))
      #expect(confirmed == Array(0..<notified.users.count))
    }
  }
}
