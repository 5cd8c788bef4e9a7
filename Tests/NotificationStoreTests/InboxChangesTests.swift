import Foundation
import NotificationModel
import NotificationStore
import Postgres
import TestSupport
import Testing

/// What became of notifications after they were delivered, for who was away.
struct InboxChangesTests {
  private func store(_ count: Int, for user: UserID, _ client: PostgresClient) async throws -> [NotificationID] {
    let history = try Sample.history(count, of: user)
    _ = try await NotificationStore(client: client).store(history.notifications, contents: history.contents)
    return history.notifications.map(\.id)
  }

  @Test func `without an inbox nothing has happened`() async throws {
    try await TestDatabase.with { client in
      let inbox = InboxStore(client: client)
      let none = try await inbox.changes(of: Sample.user(), after: 0, change: nil)
      #expect(none.changed.isEmpty && none.deleted.isEmpty && none.change == 0 && none.isComplete)
      #expect(try await !inbox.changes(of: Sample.user(), after: 0, change: 3).isComplete)
    }
  }

  @Test func `each is listed once, as it is now, and to its owner alone`() async throws {
    try await TestDatabase.with { client in
      let user = Sample.user()
      let inbox = InboxStore(client: client)
      let ids = try await store(4, for: user, client)
      let others = try await store(1, for: Sample.user(), client)
      _ = try await inbox.apply(.read, to: [ids[0], others[0]], of: user, at: .now)
      _ = try await inbox.apply(.archive, to: [ids[1]], of: user, at: .now)
      _ = try await inbox.apply(.read, to: [ids[2]], of: user, at: .now)
      _ = try await inbox.apply(.delete, to: [ids[2]], of: user, at: .now)
      _ = try await inbox.apply(.unread, to: [ids[0]], of: user, at: .now)
      // What changes nothing is none.
      _ = try await inbox.apply(.unread, to: [ids[0]], of: user, at: .now)
      let all = try await inbox.changes(of: user, after: 4, change: nil)
      #expect(all.changed.map(\.id) == [ids[1], ids[0]])
      #expect(all.changed.map { $0.archivedAt != nil } == [true, false])
      #expect(all.changed.last?.readAt == nil)
      #expect(all.deleted == [ids[2]])
      #expect(all.change == 5 && all.isComplete)
      // Those who know some changes hear of the others alone.
      let rest = try await inbox.changes(of: user, after: 4, change: 4)
      #expect(rest.changed.map(\.id) == [ids[0]])
      #expect(rest.deleted.isEmpty)
      #expect(try await inbox.changes(of: user, after: 4, change: 5).changed.isEmpty)
      // To whom a notification is new it comes with what is new.
      let few = try await inbox.changes(of: user, after: 0, change: nil)
      #expect(few.changed.map(\.id) == [ids[1]])
      #expect(try await inbox.newcomers(of: user, after: 0, limit: 10).items.map(\.id) == [ids[0], ids[3]])
      #expect(try await client.miscounted().isEmpty)
    }
  }

  @Test func `who knows the inbox up to a later notification hears of later changes alone`() async throws {
    try await TestDatabase.with { client in
      let user = Sample.user()
      let inbox = InboxStore(client: client)
      let ids = try await store(2, for: user, client)
      _ = try await inbox.apply(.seen, to: [ids[0]], of: user, at: .now)
      _ = try await store(1, for: user, client)
      _ = try await inbox.apply(.seen, to: [ids[1]], of: user, at: .now)
      #expect(try await inbox.changes(of: user, after: 3, change: nil).changed.map(\.id) == [ids[1]])
      #expect(try await inbox.changes(of: user, after: 2, change: nil).changed.map(\.id) == ids)
    }
  }

  @Test func `what is forgotten is said: after many at once, and beyond the newest five hundred`() async throws {
    try await TestDatabase.with { client in
      let user = Sample.user()
      let inbox = InboxStore(client: client)
      let ids = try await store(101, for: user, client)
      _ = try await inbox.apply(.seen, to: [ids[0]], of: user, at: .now)
      #expect(try await inbox.changes(of: user, after: 101, change: 0).isComplete)
      #expect(try await inbox.apply(.read, to: nil, of: user, at: .now).count == 101)
      let lost = try await inbox.changes(of: user, after: 101, change: 1)
      #expect(!lost.isComplete && lost.changed.isEmpty)
      #expect(try await inbox.changes(of: user, after: 101, change: lost.change).isComplete)
      // Nothing of an inbox that the caller does not know at all is lost.
      #expect(try await inbox.changes(of: user, after: 0, change: nil).isComplete)
      // A hundred at a time, back and forth.
      for round in 0..<6 {
        _ = try await inbox.apply(round.isMultiple(of: 2) ? .unread : .read, to: Array(ids[..<100]), of: user, at: .now)
      }
      #expect(
        try await client.value("SELECT count(*) FROM inbox_changes WHERE user_id = \(user)", as: Int.self) == 500
      )
      let end = lost.change + 600
      #expect(try await !inbox.changes(of: user, after: 101, change: lost.change).isComplete)
      #expect(try await !inbox.changes(of: user, after: 101, change: end - 501).isComplete)
      let known = try await inbox.changes(of: user, after: 101, change: end - 500)
      #expect(known.isComplete && known.change == end)
      #expect(Set(known.changed.map(\.id)) == Set(ids[..<100]))
      #expect(try await client.miscounted().isEmpty)
    }
  }
}
