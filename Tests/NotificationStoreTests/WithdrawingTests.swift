import Foundation
import Postgres
import TestSupport
import Testing

@testable import NotificationModel
@testable import NotificationStore

/// What a request delivered is taken out of inboxes.
struct WithdrawingTests {
  private let start = Date(timeIntervalSince1970: Date.now.timeIntervalSince1970.rounded(.down))

  private func routed(
    _ request: RequestID,
    _ user: UserID = Sample.user(),
    inApp: ChannelDecision = .deliver,
    push: ChannelDecision = .deliver
  ) -> NewNotification {
    Sample.notification(user, request: request, inApp: inApp, push: push)
  }

  private func store(_ notifications: [NewNotification], _ client: PostgresClient) async throws -> [StoredNotification]
  {
    try await NotificationStore(client: client).store(notifications, contents: [try Sample.content(at: start)])
  }

  private func withdraw(
    _ id: RequestID,
    limit: Int = 10_000,
    _ client: PostgresClient
  ) async throws -> (result: RequestStore.Withdrawal, gone: [RequestStore.Withdrawn]) {
    var gone: [RequestStore.Withdrawn] = []
    let result = try await RequestStore(client: client).withdraw(id, limit: limit) { gone += $0 }
    return (result, gone)
  }

  private func code(_ notification: NewNotification, _ client: PostgresClient) async throws -> Int {
    try await client.value(
      "SELECT in_app FROM notifications WHERE user_id = \(notification.userID) AND id = \(notification.id)"
    )
  }

  @Test func `what is in inboxes, or was put away there, is taken out and counted once`() async throws {
    try await TestDatabase.with { client in
      let inbox = InboxStore(client: client)
      let request = RequestID(now: start)
      let (unread, read, seen, archived) = (routed(request), routed(request), routed(request), routed(request))
      let (deleted, never) = (routed(request), routed(request, inApp: .skip(.preferenceOff)))
      let other = routed(RequestID(now: start), unread.userID)
      let all = [unread, read, seen, archived, deleted, never]
      _ = try await store(all + [other], client)
      _ = try await inbox.apply(.read, to: [read.id], of: read.userID, at: start)
      _ = try await client.query("UPDATE notifications SET seen_at = now() WHERE id = \(seen.id)")
      _ = try await client.query("UPDATE inbox SET seen_unread = 1 WHERE user_id = \(seen.userID)")
      for (item, state) in [(archived, InboxState.archived), (deleted, .deleted)] {
        _ = try await client.query("UPDATE notifications SET in_app = \(state.rawValue) WHERE id = \(item.id)")
        _ = try await client.query("UPDATE inbox SET unread = 0, total = 0 WHERE user_id = \(item.userID)")
      }
      #expect(try await client.miscounted().isEmpty)
      let (result, gone) = try await withdraw(request, client)
      #expect((result.withdrawnCount, result.count, result.isComplete) == (4, 0, true))
      #expect(Set(gone.map(\.id)) == Set([unread, read, seen, archived].map(\.id)))
      #expect(gone.first { $0.id == unread.id } == .init(user: unread.userID, id: unread.id, unread: 1))
      var codes: [Int] = []
      for item in all + [other] { codes.append(try await code(item, client)) }
      #expect(codes == [20, 20, 20, 20, 13, 2, 0])
      #expect(try await client.miscounted().isEmpty)
      #expect(try await inbox.counts(of: unread.userID) == .init(unread: 1, total: 1))
      #expect(
        try await inbox.page(of: unread.userID, filter: .init(), offset: 0, limit: 9).items.map(\.id) == [other.id]
      )
      // Again nothing.
      let again = try await withdraw(request, client)
      #expect((again.result.withdrawnCount, again.gone.count) == (0, 0))
      #expect(try await client.miscounted().isEmpty)
    }
  }

  @Test func `what was snoozed is not to be woken any more, and what others snoozed is`() async throws {
    try await TestDatabase.with { client in
      let inbox = InboxStore(client: client)
      let request = RequestID(now: start)
      let (first, second) = (routed(request), routed(request))
      let other = routed(RequestID(now: start + 1), first.userID)
      _ = try await store([first, second, other], client)
      for item in [first, second, other] {
        _ = try await inbox.apply(.snooze(until: start + 3_600), to: [item.id], of: item.userID, at: start)
      }
      let (result, gone) = try await withdraw(request, client)
      #expect(result.withdrawnCount == 2 && Set(gone.map(\.id)) == [first.id, second.id])
      #expect(try await client.column("SELECT notification_id FROM snoozes") == [other.id])
      #expect(try await SnoozeStore(client: client).due(at: start + 3_601, limit: 9) == [first.userID: [other.id]])
      #expect(try await client.miscounted().isEmpty)
    }
  }

  @Test func `each is noted for those who were away, and of many changes the oldest are given up`() async throws {
    try await TestDatabase.with { client in
      let user = Sample.user()
      let (first, second) = (routed(RequestID(now: start), user), routed(RequestID(now: start + 1), user))
      _ = try await store([first, second], client)
      _ = try await withdraw(first.requestID, client)
      func state() async throws -> String {
        try await client.value(
          "SELECT concat_ws(' ', change, lost_change, lost_seq) FROM inbox WHERE user_id = \(user)"
        )
      }
      #expect(try await state() == "1 0 -1")
      let noted: String = try await client.value(
        "SELECT concat_ws(' ', change, after_seq, notification_id) FROM inbox_changes WHERE user_id = \(user)"
      )
      #expect(noted == "1 2 \(first.id)")
      _ = try await client.query(
        """
        INSERT INTO inbox_changes (user_id, change, after_seq, notification_id)
        SELECT \(user), n, n + 10, \(first.id) FROM generate_series(2, 500) AS n
        """
      )
      _ = try await client.query("UPDATE inbox SET change = 500 WHERE user_id = \(user)")
      _ = try await withdraw(second.requestID, client)
      #expect(try await state() == "501 1 2")
      let kept: String = try await client.value(
        "SELECT concat_ws(' ', min(change), max(change), count(*)) FROM inbox_changes WHERE user_id = \(user)"
      )
      #expect(kept == "2 501 500")
    }
  }

  @Test func `a call that ends halfway is gone on with, and what waits goes with it`() async throws {
    try await TestDatabase.with { client in
      let request = RequestID(now: start)
      let items = (0..<2_500).map { routed(request, push: $0 % 2 == 0 ? .hold(until: start, .paused) : .deliver) }
      _ = try await store(items, client)
      let first = try await withdraw(request, limit: 1_200, client)
      #expect((first.result.withdrawnCount, first.result.isComplete) == (1_200, false))
      #expect(try await client.miscounted().isEmpty)
      let second = try await withdraw(request, client)
      #expect((second.result.withdrawnCount, second.result.isComplete) == (1_300, true))
      #expect(first.result.count + second.result.count == 1_250)
      #expect(Set((first.gone + second.gone).map(\.id)) == Set(items.map(\.id)))
      #expect(try await client.value("SELECT count(*) FROM held", as: Int.self) == 0)
      #expect(try await client.value("SELECT count(*) FROM notifications WHERE push = 14", as: Int.self) == 1_250)
      #expect(try await client.miscounted().isEmpty)
    }
  }

  @Test func `each part is published once it is gone, and a failure halfway takes back nothing of it`() async throws {
    try await TestDatabase.with { client in
      let request = RequestID(now: start)
      let users = Sample.users(2_500).sorted()
      _ = try await store(users.map { routed(request, $0) }, client)
      // The last part cannot be changed.
      try await client.withConnection { session in
        try await session.script(
          """
          CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''refused''; END';
          CREATE TRIGGER refuse BEFORE UPDATE ON inbox FOR EACH ROW WHEN (OLD.user_id = '\(users[2_400])') EXECUTE FUNCTION refuse()
          """
        )
      }
      func gone() async throws -> Int {
        try await client.value("SELECT count(*) FROM notifications WHERE in_app = \(InboxState.withdrawn.rawValue)")
      }
      var heard: [RequestStore.Withdrawn] = []
      var seen: [Int?] = []
      let requests = RequestStore(client: client)
      await #expect(throws: PostgresError.self) {
        _ = try await requests.withdraw(request, limit: 10_000) { part in
          heard += part
          seen.append(try? await gone())
        }
      }
      #expect(seen == [1_000, 2_000])
      #expect(Set(heard.map(\.user)) == Set(users.prefix(2_000)))
      #expect(try await gone() == 2_000)
      try await client.withConnection { try await $0.script("DROP TRIGGER refuse ON inbox") }
      let rest = try await withdraw(request, client)
      #expect(Set(rest.gone.map(\.user)) == Set(users.suffix(500)))
      #expect(try await client.miscounted().isEmpty)
    }
  }

  @Test func `of a request of which little waits no more is read than is allowed, and that is reported`() async throws {
    try await TestDatabase.with { client in
      var requests = RequestStore(client: client)
      let request = RequestID(now: start)
      // They are stored, and so found, by user: the one that waits is the last.
      let users = (0..<21).map { _ in Sample.user() }.sorted()
      let items = users.dropLast().map { routed(request, $0) }
      _ = try await store(items + [routed(request, users[20], push: .hold(until: start, .paused))], client)
      requests.perLook = 5
      let short = try await requests.withdrawWaiting(of: request, limit: 100)
      #expect((short.count, short.isComplete) == (0, false))
      requests.perLook = 22
      let whole = try await requests.withdrawWaiting(of: request, limit: 100)
      #expect((whole.count, whole.isComplete) == (1, true))
    }
  }

  @Test func `a request that comes again stores nothing of what was withdrawn, and says so`() async throws {
    try await TestDatabase.with { client in
      let request = RequestID(now: start)
      let item = routed(request)
      _ = try await store([item], client)
      _ = try await withdraw(request, client)
      let again = try #require(try await store([item], client).first)
      #expect(!again.isNew)
      #expect(again.former?.plan[.inApp] == .leftInbox(.withdrawn))
      #expect(try await client.miscounted().isEmpty)
    }
  }

  @Test func `withdrawals, readers and routers at the same time neither deadlock nor miscount`() async throws {
    try await TestDatabase.with(connections: 8) { client in
      let (request, users) = (RequestID(now: start), Sample.users(200))
      let items = users.map { routed(request, $0) }
      _ = try await store(items, client)
      let gone = try await withThrowingTaskGroup { group in
        for _ in 0..<3 { group.addTask { try await withdraw(request, client).gone.count } }
        for round in 0..<3 {
          group.addTask {
            for item in items.shuffled() {
              _ = try await InboxStore(client: client).apply(.read, to: [item.id], of: item.userID, at: start)
            }
            return 0
          }
          group.addTask {
            _ = try await store(users.shuffled().map { routed(RequestID(now: start + Double(round + 1)), $0) }, client)
            return 0
          }
        }
        return try await group.reduce(0, +)
      }
      #expect(gone == users.count)
      #expect(try await client.miscounted().isEmpty)
    }
  }
}
