import Foundation
import NotificationModel
import NotificationStore
import Postgres
import TestSupport
import Testing

struct StoringTests {
  @Test func `a stored notification keeps what it says`() async throws {
    try await TestDatabase.with { client in
      let user = Sample.user()
      let content = try Sample.content(type: 12, title: "Snow ❄︎ \"quoted\"")
      let notification = Sample.notification(user, push: .skip(.noActiveDevice))
      let stored = try await NotificationStore(client: client).store([notification], contents: [content])
      #expect(stored.map(\.isNew) == [true])
      #expect(stored.map(\.seq) == [1])
      #expect(stored.map(\.unread) == [1])
      let item = try #require(try await InboxStore(client: client).item(notification.id, of: user))
      #expect(item.type == 12)
      #expect(item.title == content.title)
      #expect(item.body == "Body")
      #expect(item.data == ["amount": "$10.00"])
      #expect(item.relatedEntityType == "Account")
      #expect(item.relatedEntityID == "7")
      #expect(abs(item.createdAt.timeIntervalSince(content.createdAt)) < 0.001)
      #expect(item.readAt == nil)
      let row = try #require(try await client.query("SELECT in_app, push, email FROM notifications").first)
      #expect(try row.get("in_app") == 0)
      #expect(try row.get("push") == Int(SkipReason.noActiveDevice.rawValue))
      #expect(try row.get("email") == Int(SkipReason.preferenceOff.rawValue))
    }
  }

  @Test func `numbers and booleans are stored as such, with the digits they came with`() async throws {
    try await TestDatabase.with { client in
      let user = Sample.user()
      var content = try Sample.content()
      content.data = ["amount": "10.50", "big": "12345678901234567890", "on": "true", "text": "7", "small": "1e-7"]
      content.literals = ["amount", "big", "on", "small"]
      let notification = Sample.notification(user)
      _ = try await NotificationStore(client: client).store([notification], contents: [content])
      let item = try #require(try await InboxStore(client: client).item(notification.id, of: user))
      #expect(item.data == content.data)
      #expect(item.literals == ["amount", "big", "on"])
      let stored = try await client.value("SELECT data ->> 'amount' FROM notifications", as: String.self)
      #expect(stored == "10.50")
    }
  }

  @Test func `storing the same notifications again changes nothing`() async throws {
    try await TestDatabase.with { client in
      let store = NotificationStore(client: client)
      let contents = [try Sample.content(), try Sample.content(type: 11)]
      let users = Sample.users(3)
      let first = RequestID(now: .now - 2)
      let second = RequestID(now: .now - 1)
      let all =
        users.map { Sample.notification($0, request: first) }
        + users.map { Sample.notification($0, request: second, content: 1) }
      let once = try await store.store(all, contents: contents)
      #expect(once.allSatisfy { $0.isNew })
      #expect(once.map(\.seq) == [1, 1, 1, 2, 2, 2])
      #expect(once.allSatisfy { $0.unread == 2 })
      let twice = try await store.store(all, contents: contents)
      #expect(!twice.contains { $0.isNew })
      #expect(twice.map(\.seq) == once.map(\.seq))
      #expect(twice.allSatisfy { $0.unread == 2 })
      let mixed = try await store.store([Sample.notification(users[0])] + all, contents: contents)
      #expect(mixed.map(\.isNew) == [true] + all.map { _ in false })
      #expect(mixed.map(\.seq) == [3] + once.map(\.seq))
      #expect(mixed.map(\.unread) == [3, 3, 2, 2, 3, 2, 2])
      #expect(try await client.value("SELECT count(*) FROM notifications", as: Int.self) == 7)
      #expect(try await client.miscounted().isEmpty)
    }
  }

  @Test func `concurrent calls for the same users neither deadlock nor miscount`() async throws {
    try await TestDatabase.with(connections: 6) { client in
      let store = NotificationStore(client: client)
      let content = try Sample.content()
      let users = Sample.users(40)
      // Sixty calls, each for half of the users in its own order; every fourth repeats the call before it.
      let calls = (0..<60).map { _ in
        let request = RequestID(now: .now)
        return users.shuffled().prefix(20).map { Sample.notification($0, request: request) }
      }
      let new = try await withThrowingTaskGroup(of: Int.self) { group in
        for (index, call) in calls.enumerated() {
          let repeated = index % 4 == 3 ? calls[index - 1].shuffled() : call
          group.addTask { try await store.store(repeated, contents: [content]).count(where: \.isNew) }
        }
        return try await group.reduce(0, +)
      }
      let rows = try await client.value("SELECT count(*) FROM notifications", as: Int.self)
      #expect(new == 45 * 20)
      #expect(rows == new)
      #expect(try await client.value("SELECT sum(unread)::int8 FROM inbox", as: Int.self) == rows)
      #expect(try await client.miscounted().isEmpty)
    }
  }

  @Test func `reading while notifications arrive neither deadlocks nor miscounts`() async throws {
    try await TestDatabase.with(connections: 6) { client in
      let store = NotificationStore(client: client)
      let inbox = InboxStore(client: client)
      let content = try Sample.content()
      let users = Sample.users(10)
      let request = RequestID(now: .now)
      let unread = users.map { Sample.notification($0, request: request) }
      _ = try await store.store(unread, contents: [content])
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<20 {
          group.addTask { _ = try await store.store(users.map { Sample.notification($0) }, contents: [content]) }
        }
        for notification in unread + unread {
          group.addTask { _ = try await inbox.apply(.read, to: [notification.id], of: notification.userID, at: .now) }
        }
        try await group.waitForAll()
      }
      #expect(try await client.column("SELECT unread FROM inbox", as: Int.self) == users.map { _ in 20 })
      #expect(try await client.miscounted().isEmpty)
    }
  }

  @Test func `what is skipped in-app is stored but is not in the inbox`() async throws {
    try await TestDatabase.with { client in
      let store = NotificationStore(client: client)
      let inbox = InboxStore(client: client)
      let user = Sample.user()
      let hidden = Sample.notification(user, inApp: .skip(.channelNotRequested))
      let shown = Sample.notification(user)
      let stored = try await store.store([hidden, shown], contents: [try Sample.content()])
      #expect(stored.allSatisfy { $0.isNew })
      #expect(stored.map(\.unread) == [1, 1])
      #expect(stored[1].seq == 1)
      #expect(try await inbox.item(hidden.id, of: user) == nil)
      #expect(try await inbox.apply(.read, to: [hidden.id], of: user, at: .now).count == 0)
      let page = try await inbox.page(of: user, filter: .init(), offset: 0, limit: 10)
      #expect(page.items.map(\.id) == [shown.id])
      #expect(page.counts == .init(unread: 1, total: 1))
      #expect(try await inbox.page(of: user, filter: .init(types: [10]), offset: 0, limit: 10).matching == 1)
      let again = try await store.store([hidden], contents: [try Sample.content()])
      #expect(!again[0].isNew)
      #expect(try await client.miscounted().isEmpty)
    }
  }

  @Test func `counters change without touching an index`() async throws {
    try await TestDatabase.with(connections: 1) { client in
      let store = NotificationStore(client: client)
      let users = Sample.users(200)
      func updates() async throws -> (all: Int, heapOnly: Int) {
        _ = try await client.query("SELECT pg_stat_force_next_flush()")
        let rows = try await client.query(
          "SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables WHERE relname = 'inbox'"
        )
        let row = try #require(rows.first)
        return (try row.get(0), try row.get(1))
      }
      // Again while other tests' long transactions keep the server from reclaiming the space of older versions.
      try await eventually("95 of 100 updates touch no index", within: .seconds(60)) {
        let before = try await updates()
        for _ in 0..<5 {
          _ = try await store.store(users.map { Sample.notification($0) }, contents: [try Sample.content()])
        }
        var after = before
        try await eventually("the updates are counted") {
          after = try await updates()
          return after.all >= before.all + 1_000
        }
        return Double(after.heapOnly - before.heapOnly) >= 0.95 * Double(after.all - before.all)
      }
    }
  }
}
