import Foundation
import NotificationModel
import NotificationStore
import Postgres
import TestSupport
import Testing

struct InboxTests {
  @Test func `a user without an inbox has an empty page and no count`() async throws {
    try await TestDatabase.with { client in
      let inbox = InboxStore(client: client)
      let page = try await inbox.page(of: Sample.user(), filter: .init(), offset: 0, limit: 10)
      #expect(page.items.isEmpty)
      #expect(!page.hasMore)
      #expect(page.matching == 0)
      #expect(page.counts == .init(unread: 0, total: 0))
    }
  }

  @Test func `pages go from the newest to the oldest, by offset or from a place`() async throws {
    try await TestDatabase.with { client in
      let user = Sample.user()
      let history = try Sample.history(25, of: user)
      let store = NotificationStore(client: client)
      _ = try await store.store(history.notifications, contents: history.contents)
      _ = try await store.store([Sample.notification(Sample.user())], contents: [try Sample.content()])
      let expected = history.notifications.map(\.id).reversed() as [NotificationID]
      let inbox = InboxStore(client: client)

      let first = try await inbox.page(of: user, filter: .init(), offset: 0, limit: 10)
      #expect(first.items.map(\.id) == Array(expected[..<10]))
      #expect(first.items.map(\.title).first == "Number 25")
      #expect(first.items.map(\.seq) == Array((16...25).reversed()))
      #expect(first.hasMore)
      #expect(first.matching == 25)
      let second = try await inbox.page(of: user, filter: .init(), offset: 10, limit: 15)
      #expect(second.items.map(\.id) == Array(expected[10...]))
      #expect(!second.hasMore)
      let keyset = try await inbox.page(of: user, filter: .init(before: expected[9]), offset: 0, limit: 10)
      #expect(keyset.items.map(\.id) == Array(expected[10..<20]))
      #expect(keyset.hasMore)
      #expect(try await inbox.page(of: user, filter: .init(), offset: 25, limit: 10).items.isEmpty)
    }
  }

  @Test func `pages can show only what is unread, or of one type, or both`() async throws {
    try await TestDatabase.with { client in
      let user = Sample.user()
      let history = try Sample.history(12, of: user) { $0 % 3 == 0 ? 11 : 10 }
      _ = try await NotificationStore(client: client).store(history.notifications, contents: history.contents)
      let inbox = InboxStore(client: client)
      for index in 0..<4 { _ = try await inbox.apply(.read, to: [history.notifications[index].id], of: user, at: .now) }

      let unread = try await inbox.page(of: user, filter: .init(unreadOnly: true), offset: 0, limit: 5)
      #expect(unread.items.map(\.id) == history.notifications[7...].map(\.id).reversed())
      #expect(unread.matching == 8)
      #expect(unread.counts == .init(unread: 8, total: 12))
      let ofType = try await inbox.page(of: user, filter: .init(types: [11]), offset: 0, limit: 10)
      #expect(ofType.items.map(\.id) == [9, 6, 3, 0].map { history.notifications[$0].id })
      #expect(ofType.matching == 4)
      let both = try await inbox.page(of: user, filter: .init(unreadOnly: true, types: [11]), offset: 0, limit: 10)
      #expect(both.items.map(\.id) == [9, 6].map { history.notifications[$0].id })
      #expect(both.matching == 2)
      #expect(both.counts == .init(unread: 8, total: 12))
    }
  }

  @Test func `a notification is marked as read once`() async throws {
    try await TestDatabase.with { client in
      let user = Sample.user()
      let history = try Sample.history(2, of: user)
      _ = try await NotificationStore(client: client).store(history.notifications, contents: history.contents)
      let inbox = InboxStore(client: client)
      let id = history.notifications[0].id
      let time = Date(timeIntervalSince1970: 1_800_000_000)

      let first = try await inbox.apply(.read, to: [id], of: user, at: time)
      #expect(first.count == 1)
      #expect(first.counts.unread == 1)
      #expect(first.items.map(\.id) == [id])
      #expect(first.items.map(\.readAt) == [time])
      let second = try await inbox.apply(.read, to: [id], of: user, at: time + 60)
      #expect(second.count == 0)
      #expect(second.items.isEmpty)
      #expect(second.counts.unread == 1)
      #expect(try await inbox.item(id, of: user)?.readAt == time)
      let stranger = Sample.user()
      for (id, user) in [(id, stranger), (NotificationID(UUID()), user)] {
        #expect(try await inbox.apply(.read, to: [id], of: user, at: time).count == 0)
        #expect(try await inbox.item(id, of: user) == nil)
      }
      #expect(try await inbox.counts(of: user) == .init(unread: 1, total: 2))
      #expect(try await client.miscounted().isEmpty)
    }
  }

  @Test func `of concurrent calls one marks it, and all find it read`() async throws {
    try await TestDatabase.with(connections: 4) { client in
      let user = Sample.user()
      let notification = Sample.notification(user)
      _ = try await NotificationStore(client: client).store([notification], contents: [try Sample.content()])
      let inbox = InboxStore(client: client)
      let results = try await withThrowingTaskGroup(of: (count: Int, isRead: Bool, unread: Int).self) { group in
        for _ in 0..<16 {
          group.addTask {
            let change = try await inbox.apply(.read, to: [notification.id], of: user, at: .now)
            let item = try await inbox.item(notification.id, of: user)
            return (change.count, item?.readAt != nil, change.counts.unread)
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(results.map(\.count).reduce(0, +) == 1)
      #expect(results.allSatisfy { $0.isRead && $0.unread == 0 })
    }
  }

  @Test func `data that somebody wrote by hand is read as texts too`() async throws {
    try await TestDatabase.with { client in
      let user = Sample.user()
      let notification = Sample.notification(user)
      _ = try await NotificationStore(client: client).store([notification], contents: [try Sample.content()])
      let inbox = InboxStore(client: client)
      for (json, data) in [
        (#"{"n": 1.50, "t": "x", "list": [1, null]}"#, ["n": "1.50", "t": "x", "list": "[1,null]"]), ("[1]", [:]),
      ] {
        _ = try await client.query("UPDATE notifications SET data = \(PostgresJSON(text: json))")
        #expect(try await inbox.item(notification.id, of: user)?.data == data)
      }
    }
  }
}
