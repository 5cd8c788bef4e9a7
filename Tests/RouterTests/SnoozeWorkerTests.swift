import Broker
import CatalogueVersions
import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore
import Postgres
import TestSupport
import Testing

@testable import Router

/// Snoozed notifications come back at their time.
@Suite struct SnoozeWorkerTests {
  private let anna = UserID(UUID())
  private let clock = TestClock()

  private func worker(_ client: PostgresClient, _ broker: InMemoryBroker) throws -> SnoozeWorker {
    let clock = clock
    return SnoozeWorker(
      store: SnoozeStore(client: client),
      inbox: InboxStore(client: client),
      catalogues: CatalogueInForce(try Catalogue()),
      realtime: RealtimePublisher(publisher: broker, appID: "belfry-router", logger: .quiet),
      logger: .quiet,
      clock: UncheckedClock { clock.now }
    )
  }

  private static func broker() -> InMemoryBroker {
    let broker = InMemoryBroker()
    for shard in Shard.all { broker.bind("realtime", to: Topology.realtimeExchange, key: shard.routingKey) }
    return broker
  }

  private func notified(_ broker: InMemoryBroker) throws -> [RealtimeMessage] {
    try broker.messages(in: "realtime").map { try QueueCoder.decode(RealtimeMessage.self, from: $0) }
  }

  /// Stores notifications and reads them.
  private func store(_ count: Int, for user: UserID, _ client: PostgresClient) async throws -> [NotificationID] {
    let type = try #require(try Catalogue().type(.code(10)))
    let content = NotificationContent(
      type: type,
      text: type.template.render(title: "Title", body: "Body", data: [:]),
      data: [:],
      relatedEntityType: nil,
      relatedEntityId: nil,
      collapseKey: nil,
      createdAt: clock.now,
      expiresAt: clock.now + 86_400
    )
    let new = (0..<count).map { _ in
      let request = RequestID(now: clock.now)
      return NewNotification(
        id: NotificationID(request: request, recipient: user),
        userID: user,
        requestID: request,
        content: 0,
        plan: PerChannel(inApp: .deliver, push: .skip(.preferenceOff), email: .skip(.preferenceOff))
      )
    }
    _ = try await NotificationStore(client: client).store(new, contents: [content])
    _ = try await InboxStore(client: client).apply(.read, to: new.map(\.id), of: user, at: clock.now)
    return new.map(\.id)
  }

  @Test func `at its time, not before, it is back unread and unseen, and connections are notified`() async throws {
    try await TestDatabase.with { client in
      let inbox = InboxStore(client: client)
      let broker = Self.broker()
      let worker = try worker(client, broker)
      let ids = try await store(3, for: anna, client)
      _ = try await inbox.apply(.snooze(until: clock.now + 60), to: [ids[0]], of: anna, at: clock.now)
      _ = try await inbox.apply(.snooze(until: clock.now + 120), to: [ids[1]], of: anna, at: clock.now)
      clock.advance(by: 59)
      #expect(try await !worker.wake())
      #expect(try await inbox.counts(of: anna) == .init(unread: 0, total: 1))
      clock.advance(by: 1)
      #expect(try await worker.wake())
      #expect(try await !worker.wake())
      #expect(try await inbox.counts(of: anna) == .init(unread: 1, total: 2))
      let item = try #require(try await inbox.item(ids[0], of: anna))
      #expect(item.readAt == nil && item.seenAt == nil && item.snoozedUntil == nil)
      let message = try #require(try notified(broker).first)
      #expect(try notified(broker).count == 1)
      #expect(message.changes.map(\.notificationId) == [ids[0]])
      #expect(message.events.map(\.unread) == [1])
      guard case .changed(let own, content: 0)? = message.changes.first?.state else {
        Issue.record("published otherwise")
        return
      }
      #expect(own.seq == item.seq && own.snoozedUntil == nil)
      #expect(message.contents.map(\.title) == ["Title"])
      #expect(try await SnoozeStore(client: client).due(at: clock.now + 60, limit: 10) == [anna: [ids[1]]])
    }
  }

  @Test func `two routers wake each once`() async throws {
    try await TestDatabase.with(connections: 8) { client in
      let inbox = InboxStore(client: client)
      let broker = Self.broker()
      let worker = try worker(client, broker)
      var all: Set<NotificationID> = []
      for user in (0..<20).map({ _ in UserID(UUID()) }) {
        let ids = try await store(3, for: user, client)
        all.formUnion(ids)
        _ = try await inbox.apply(.snooze(until: clock.now + 60), to: ids, of: user, at: clock.now)
      }
      clock.advance(by: 60)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<2 { group.addTask { while try await worker.wake() {} } }
        try await group.waitForAll()
      }
      let woken = try notified(broker).flatMap(\.changes).map(\.notificationId)
      #expect(woken.count == all.count)
      #expect(Set(woken) == all)
    }
  }

  @Test func `what was put off again, archived or deleted meanwhile is not woken, nor in the way`() async throws {
    try await TestDatabase.with { client in
      let inbox = InboxStore(client: client)
      let broker = Self.broker()
      let worker = try worker(client, broker)
      let ids = try await store(4, for: anna, client)
      _ = try await inbox.apply(.snooze(until: clock.now + 60), to: ids, of: anna, at: clock.now)
      _ = try await inbox.apply(.snooze(until: clock.now + 120), to: [ids[0]], of: anna, at: clock.now)
      _ = try await inbox.apply(.archive, to: [ids[1]], of: anna, at: clock.now)
      _ = try await inbox.apply(.delete, to: [ids[2]], of: anna, at: clock.now)
      // Its week was dropped: only the snooze is left.
      _ = try await client.query("DELETE FROM notifications WHERE id = \(ids[3])")
      clock.advance(by: 60)
      while try await worker.wake() {}
      #expect(try notified(broker).isEmpty)
      #expect(try await inbox.counts(of: anna) == .init(unread: 0, total: 0))
      #expect(try await SnoozeStore(client: client).due(at: clock.now + 3_600, limit: 10) == [anna: [ids[0]]])
    }
  }

  @Test func `where a router died before it published, whoever asks what changed is answered`() async throws {
    try await TestDatabase.with { client in
      let inbox = InboxStore(client: client)
      let id = try await store(1, for: anna, client)[0]
      _ = try await inbox.apply(.snooze(until: clock.now + 60), to: [id], of: anna, at: clock.now)
      let known = try await inbox.changes(of: anna, after: 1, change: nil).change
      clock.advance(by: 60)
      // The commit, and then nothing.
      _ = try await inbox.apply(.wakeWhenDue, to: [id], of: anna, at: clock.now)
      let missed = try await inbox.changes(of: anna, after: 1, change: known)
      #expect(missed.isComplete)
      #expect(missed.changed.map(\.id) == [id])
      #expect(missed.changed.first?.readAt == nil)
    }
  }
}
