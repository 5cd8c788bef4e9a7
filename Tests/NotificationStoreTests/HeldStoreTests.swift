import Foundation
import Postgres
import TestSupport
import Testing

@testable import NotificationModel
@testable import NotificationStore

/// What waits: how it comes to `held`.
struct HeldStoreTests: HeldCases {
  @Test func `what was decided by settings of before is due at once`() async throws {
    try await TestDatabase.with { client in
      let user = Sample.user()
      _ = try await SettingsStore(client: client).change(of: user, in: [], at: start) { $0.pausedUntil = start + 600 }
      let stale = Self.held(user, until: start + 60, keys: WaitingKeys(decidedAt: start + 1, settingsRevision: 0))
      let current = Self.held(
        user,
        at: start + 2,
        until: start + 60,
        keys: WaitingKeys(decidedAt: start + 1, settingsRevision: 1)
      )
      _ = try await NotificationStore(client: client).store([stale, current], contents: [try Sample.content()])
      let rows = try await client.query("SELECT notification_id FROM held WHERE due_at = \(start + 1)")
      #expect(try rows.map { try $0.get(0, as: NotificationID.self) } == [stale.id])
    }
  }

  @Test func `what a plan holds waits, channel by channel, with what it waits by`() async throws {
    try await TestDatabase.with { client in
      let store = HeldStore(client: client)
      let keys = WaitingKeys(digest: "a", throttle: "b", decidedAt: start)
      var both = Self.held(Sample.user(), until: start + 10, .digest, keys: keys)
      both.plan[.email] = .hold(until: start + 20, .unread)
      let later = Self.held(Sample.user(), until: start + 5, channel: Channel(rawValue: 7))
      var content = try Sample.content()
      content.collapseKey = "c"
      let sent = Sample.notification(Sample.user())
      _ = try await NotificationStore(client: client).store([both, later, sent], contents: [content])
      let entries = try await claim(store, at: start + 20).entries
      let wanted = [
        HeldEntry(
          key: key(both),
          due: start + 10,
          reason: .digest,
          type: 10,
          digestKey: "a",
          throttleKey: "b",
          collapseKey: "c"
        ),
        HeldEntry(
          key: key(both, .email),
          due: start + 20,
          reason: .unread,
          type: 10,
          digestKey: "a",
          throttleKey: "b",
          collapseKey: "c"
        ),
        HeldEntry(key: key(later, Channel(rawValue: 7)), due: start + 5, reason: .paused, type: 10, collapseKey: "c"),
      ]
      #expect(entries.count == 3)
      for entry in wanted { #expect(entries.contains(entry)) }
      let read = try #require(try await store.contents(of: [(both.userID, both.id)])[both.id])
      #expect(read.plan == both.plan)
      #expect((read.title, read.body, read.data) == (content.title, content.body, content.data))
      #expect((read.relatedEntityType, read.relatedEntityID) == ("Account", "7"))
      #expect((read.inbox, read.unread, read.requestID) == (.unread, 1, both.requestID))
    }
  }

  @Test func `a repetition keeps the stored due time, and brings nothing back that was delivered`() async throws {
    try await TestDatabase.with { client in
      let (store, notifications) = (HeldStore(client: client), NotificationStore(client: client))
      let contents = [try Sample.content()]
      let first = Self.held(Sample.user(), until: start + 10)
      var again = first
      again.plan[.push] = .hold(until: start + 99, .quietHours)
      for notification in [first, again, again] {
        _ = try await notifications.store([notification], contents: contents)
      }
      let claim = try await claim(store, at: start + 10)
      #expect(claim.entries.map(\.due) == [start + 10])
      #expect(claim.entries.map(\.reason) == [.paused])
      _ = try await store.settle(.init(changes: [deliver(claim, first)], compositions: [], now: start + 10), of: claim)
      try await store.finish(claim)
      _ = try await notifications.store([again], contents: contents)
      #expect(try await client.value("SELECT count(*) FROM held", as: Int.self) == 0)
    }
  }

  @Test func `of routers that open a digest's window at the same time, one does`() async throws {
    try await TestDatabase.with(connections: 8) { client in
      let (store, notifications) = (HeldStore(client: client), NotificationStore(client: client))
      let user = Sample.user()
      let contents = [try Sample.content()]
      try await withThrowingTaskGroup { group in
        for router in 0..<24 {
          let now = start + Double(router) / 10
          let keys = WaitingKeys(digest: router % 3 == 0 ? "b" : "a", decidedAt: now)
          let item = Self.held(user, at: now, until: now + 3_600, .digest, keys: keys)
          group.addTask { _ = try await notifications.store([item], contents: contents) }
        }
        try await group.waitForAll()
      }
      let dues = try await client.query(
        "SELECT digest_key, count(*), count(DISTINCT due_at), min(due_at) FROM held GROUP BY 1"
      )
      #expect(try dues.map { try $0.get(0, as: String.self) }.sorted() == ["a", "b"])
      #expect(try dues.allSatisfy { try $0.get(2, as: Int.self) == 1 })
      #expect(try dues.reduce(0) { try $0 + $1.get(1, as: Int.self) } == 24)
      let key = HeldStore.WindowKey(user: user, channel: .push, type: Self.type, key: "a")
      let open = try await store.windows([key], now: start)
      #expect(try open[key]?.until == dues.first { try $0.get(0, as: String.self) == "a" }?.get(3))
      // At its end it is over.
      #expect(try await store.windows([key], now: try #require(open[key]).until).isEmpty)
    }
  }
}
