import Foundation
import NotificationModel
import NotificationStore
import Postgres
import TestSupport
import Testing

/// Marking many notifications as read.
struct MarkingTests {
  @Test func `all are marked once, with one count and their ids`() async throws {
    try await TestDatabase.with { client in
      let user = Sample.user()
      let other = Sample.user()
      let history = try Sample.history(6, of: user)
      let store = NotificationStore(client: client)
      _ = try await store.store(history.notifications, contents: history.contents)
      let hidden = Sample.notification(user, inApp: .skip(.preferenceOff))
      _ = try await store.store([hidden, Sample.notification(other)], contents: [try Sample.content()])
      let inbox = InboxStore(client: client)
      let time = Date(timeIntervalSince1970: 1_800_000_000)
      _ = try await inbox.apply(.read, to: [history.notifications[2].id], of: user, at: time)

      let first = try await inbox.apply(.read, to: nil, of: user, at: time + 60)
      #expect(first.count == 5)
      #expect(
        Set(first.items.map(\.id)) == Set(history.notifications.map(\.id)).subtracting([history.notifications[2].id])
      )
      #expect(first.counts.unread == 0)
      let times = try await inbox.page(of: user, filter: .init(), offset: 0, limit: 10).items.map(\.readAt)
      #expect(times == [60, 60, 60, 0, 60, 60].map { time + $0 })
      let second = try await inbox.apply(.read, to: nil, of: user, at: .now)
      #expect(second.count == 0)
      #expect(second.items.isEmpty)
      #expect(second.counts.unread == 0)
      #expect(try await inbox.counts(of: other) == .init(unread: 1, total: 1))
      #expect(try await client.miscounted().isEmpty)
    }
  }

  @Test func `named ones are marked, strangers' and unknown ones passed over`() async throws {
    try await TestDatabase.with { client in
      let user = Sample.user()
      let history = try Sample.history(5, of: user)
      let foreign = Sample.notification(Sample.user())
      let store = NotificationStore(client: client)
      _ = try await store.store(history.notifications, contents: history.contents)
      _ = try await store.store([foreign], contents: [try Sample.content()])
      let inbox = InboxStore(client: client)
      let ids = history.notifications.map(\.id)
      let named = [ids[0], ids[3], foreign.id, NotificationID(UUID())]
      let marked = try await inbox.apply(.read, to: named, of: user, at: .now)
      #expect(marked.count == 2)
      #expect(Set(marked.items.map(\.id)) == [ids[0], ids[3]])
      #expect(marked.counts.unread == 3)
      #expect(try await inbox.apply(.read, to: [], of: user, at: .now).count == 0)
      #expect(try await inbox.apply(.read, to: [ids[0], ids[1]], of: user, at: .now).items.map(\.id) == [ids[1]])
      #expect(try await inbox.counts(of: user) == .init(unread: 2, total: 5))
      let nobody = try await inbox.apply(.read, to: nil, of: Sample.user(), at: .now)
      #expect(nobody.count == 0)
      #expect(nobody.counts.unread == 0)
      #expect(try await client.miscounted().isEmpty)
    }
  }

  @Test func `of very many only some ids are returned, but all are counted`() async throws {
    try await TestDatabase.with { client in
      let user = Sample.user()
      let history = try Sample.history(150, of: user)
      _ = try await NotificationStore(client: client).store(history.notifications, contents: history.contents)
      let marked = try await InboxStore(client: client).apply(.read, to: nil, of: user, at: .now)
      #expect(marked.count == 150)
      #expect(marked.items.count == InboxStore.maximumMarked)
      #expect(Set(marked.items.map(\.id)).count == InboxStore.maximumMarked)
      #expect(marked.counts.unread == 0)
      #expect(try await client.miscounted().isEmpty)
    }
  }

  @Test func `marking one, some and all while notifications arrive neither deadlocks nor miscounts`() async throws {
    try await TestDatabase.with(connections: 6) { client in
      let store = NotificationStore(client: client)
      let inbox = InboxStore(client: client)
      let users = Sample.users(8)
      let content = try Sample.content()
      let marked = try await withThrowingTaskGroup(of: Int.self) { group in
        for worker in 0..<6 {
          group.addTask {
            var marked = 0
            for round in 0..<20 {
              let new = users.shuffled().map { Sample.notification($0) }
              _ = try await store.store(new, contents: [content])
              let user = new[0].userID
              let ids =
                switch (worker + round) % 3 {
                case 0: [NotificationID]?.none
                case 1: [new[0].id, NotificationID(UUID())]
                default: [new[0].id]
                }
              marked += try await inbox.apply(.read, to: ids, of: user, at: .now).count
            }
            return marked
          }
        }
        return try await group.reduce(0, +)
      }
      #expect(
        try await client.value("SELECT count(*) FROM notifications WHERE read_at IS NOT NULL", as: Int.self) == marked
      )
      #expect(try await client.miscounted().isEmpty)
    }
  }

  @Test func `marking as read touches no index`() async throws {
    try await TestDatabase.with(connections: 1) { client in
      let users = Sample.users(400)
      let notifications = users.map { Sample.notification($0) }
      _ = try await NotificationStore(client: client).store(notifications, contents: [try Sample.content()])
      // A few in each page of the table: as many as the space that is left for updates takes.
      for notification in notifications where notification.id.uuid.uuid.15 % 20 == 0 {
        _ = try await InboxStore(client: client).apply(.read, to: [notification.id], of: notification.userID, at: .now)
      }
      var (all, heapOnly) = (0, 0)
      try await eventually("the updates are counted") {
        _ = try await client.query("SELECT pg_stat_force_next_flush()")
        let rows = try await client.query(
          """
          SELECT sum(n_tup_upd)::int8, sum(n_tup_hot_upd)::int8 FROM pg_stat_user_tables WHERE relname LIKE 'notifications%'
          """
        )
        let row = try #require(rows.first)
        (all, heapOnly) = (try row.get(0), try row.get(1))
        return all > 0
      }
      #expect(heapOnly == all)
    }
  }
}
