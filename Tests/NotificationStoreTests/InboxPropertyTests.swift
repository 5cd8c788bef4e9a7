import Foundation
import NotificationModel
import NotificationStore
import Postgres
import TestSupport
import Testing

/// Random operations, one after the other against a model of an inbox, and many at once against the counters.
struct InboxPropertyTests {
  /// An inbox as it should be.
  private struct Model {
    enum Place { case inbox, archive, snoozed, gone }

    struct Item: Equatable {
      var place = Place.inbox
      var isRead = false
      var isSeen = false
      var isOpened = false
      var until: Date?
    }

    var items: [NotificationID: Item] = [:]

    var counts: InboxStore.Counts {
      let inbox = items.values.filter { $0.place == .inbox }
      return .init(
        unread: inbox.count { !$0.isRead },
        total: inbox.count,
        unseen: inbox.count { !$0.isRead && !$0.isSeen }
      )
    }

    /// - Returns: How many it changed.
    mutating func apply(_ operation: InboxOperation, to ids: [NotificationID]?, at now: Date) -> Int {
      var count = 0
      for (id, item) in items where ids?.contains(id) ?? (item.place == .inbox) {
        guard item.place != .gone, ids != nil || Self.isForAll(operation, item) else { continue }
        let changed = Self.applied(operation, to: item, at: now)
        if changed != item { count += 1 }
        items[id] = changed
      }
      return count
    }

    private static func isForAll(_ operation: InboxOperation, _ item: Item) -> Bool {
      switch operation {
      case .read, .seen: true
      case .delete: item.isRead
      default: false
      }
    }

    private static func applied(_ operation: InboxOperation, to item: Item, at now: Date) -> Item {
      var item = item
      switch operation {
      case .read: (item.isRead, item.isSeen) = (true, true)
      case .unread: item.isRead = false
      case .seen: item.isSeen = true
      case .opened: if !item.isOpened { (item.isOpened, item.isSeen) = (true, true) }
      case .delete: (item.place, item.until) = (.gone, nil)
      case .archive: (item.place, item.until) = (.archive, nil)
      case .unarchive: if item.place == .archive { item.place = .inbox }
      case .snooze(let until): (item.place, item.until) = (.snoozed, until)
      case .wake: if item.place == .snoozed { item = Item(isOpened: item.isOpened) }
      case .wakeWhenDue:
        if item.place == .snoozed, item.until.map({ $0 <= now }) == true { item = Item(isOpened: item.isOpened) }
      }
      return item
    }
  }

  private static let start = Date(timeIntervalSince1970: 1_800_000_000)

  private static func operation(_ random: inout SplitMix64) -> InboxOperation {
    let operations: [InboxOperation] = [
      .read, .unread, .seen, .opened, .delete, .archive, .unarchive, .wake, .wakeWhenDue,
      .snooze(until: start + Double(Int.random(in: 1...400, using: &random))),
    ]
    return operations[Int.random(in: operations.indices, using: &random)]
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `whatever is done, in whatever order, an inbox is as a model of it says`(_ seed: UInt64) async throws {
    try await TestDatabase.with { client in
      var random = SplitMix64(seed: seed)
      let user = Sample.user()
      let inbox = InboxStore(client: client)
      let store = NotificationStore(client: client)
      var model = Model()
      for step in 0..<300 {
        let now = Self.start + Double(step)
        if step % 10 == 0 {
          let new = Sample.notification(user)
          _ = try await store.store([new], contents: [try Sample.content()])
          model.items[new.id] = .init()
        }
        let known = model.items.keys.sorted()
        let some = known.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
        let ids = Int.random(in: 0..<20, using: &random) == 0 ? nil : some
        let operation = Self.operation(&random)
        let change = try await inbox.apply(operation, to: ids, of: user, at: now)
        #expect(change.count == model.apply(operation, to: ids, at: now), "\(step): \(operation)")
        #expect(change.items.count == change.count)
        #expect(change.counts == model.counts, "\(step): \(operation)")
        try #require(try await client.miscounted().isEmpty, "\(step): \(operation)")
      }
      for (id, expected) in model.items {
        let item = try await inbox.item(id, of: user)
        #expect((item == nil) == (expected.place == .gone))
        guard let item else { continue }
        #expect((item.readAt != nil) == expected.isRead)
        #expect((item.seenAt != nil) == expected.isSeen)
        #expect((item.openedAt != nil) == expected.isOpened)
        #expect((item.archivedAt != nil) == (expected.place == .archive))
        #expect(item.snoozedUntil == expected.until)
      }
      let snoozes = try await client.column("SELECT notification_id FROM snoozes ORDER BY 1", as: NotificationID.self)
      #expect(snoozes == model.items.filter { $0.value.place == .snoozed }.map(\.key).sorted())
    }
  }

  @Test func `sixteen clients at once on the same inboxes neither deadlock nor miscount`() async throws {
    try await TestDatabase.with(connections: 16) { client in
      let users = Sample.users(3)
      let store = NotificationStore(client: client)
      let inbox = InboxStore(client: client)
      let content = try Sample.content()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for worker in 0..<16 {
          group.addTask {
            var random = SplitMix64(seed: UInt64(worker))
            var known: [UserID: [NotificationID]] = [:]
            for round in 0..<30 {
              let user = users[Int.random(in: users.indices, using: &random)]
              if round % 3 == 0 {
                let new = users.map { Sample.notification($0) }
                _ = try await store.store(new, contents: [content])
              }
              if round % 5 == 0 {
                let page = try await inbox.page(of: user, filter: .init(), offset: 0, limit: 50)
                known[user] = page.items.map(\.id).shuffled(using: &random)
              }
              let all = Int.random(in: 0..<10, using: &random) == 0
              let operation = Self.operation(&random)
              _ = try await inbox.apply(
                operation,
                to: all ? nil : known[user] ?? [],
                of: user,
                at: Self.start + Double(round)
              )
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(try await client.miscounted().isEmpty)
      // What is snoozed, and nothing else, is there to be woken.
      let (left, right): (Int, Int) = (
        try await client.value("SELECT count(*) FROM notifications WHERE in_app = \(InboxState.snoozed.rawValue)"),
        try await client.value(
          """
          SELECT count(*) FROM snoozes s JOIN notifications n ON n.user_id = s.user_id AND n.id = s.notification_id
          WHERE n.in_app = \(InboxState.snoozed.rawValue) AND n.snoozed_until = s.until
          """
        )
      )
      #expect(left == right)
      #expect(try await client.value("SELECT count(*) FROM snoozes", as: Int.self) == right)
    }
  }

  @Test func `counts that an old gateway left too low are put right by seeing or reading all`() async throws {
    try await TestDatabase.with { client in
      let user = Sample.user()
      let history = try Sample.history(3, of: user)
      _ = try await NotificationStore(client: client).store(history.notifications, contents: history.contents)
      let inbox = InboxStore(client: client)
      _ = try await inbox.apply(.seen, to: [history.notifications[0].id], of: user, at: .now)
      // As the release before marks one as read: it knows nothing of what was seen.
      _ = try await client.transaction([
        "UPDATE notifications SET read_at = now() WHERE user_id = \(user) AND id = \(history.notifications[0].id)",
        "UPDATE inbox SET unread = unread - 1 WHERE user_id = \(user)",
      ])
      #expect(try await inbox.counts(of: user) == .init(unread: 2, total: 3, unseen: 1))
      #expect(try await inbox.apply(.seen, to: nil, of: user, at: .now).counts == .init(unread: 2, total: 3, unseen: 0))
      #expect(try await client.miscounted().isEmpty)
    }
  }

  @Test func `what was delivered before stays delivered when its request comes again`() async throws {
    try await TestDatabase.with { client in
      let user = Sample.user()
      let store = NotificationStore(client: client)
      let inbox = InboxStore(client: client)
      for (operation, expected) in [
        (InboxOperation.delete, ChannelDecision.leftInbox(.deleted)), (.archive, .leftInbox(.archived)),
        (.read, .deliver), (.unread, .deliver), (.snooze(until: .now + 60), .leftInbox(.snoozed)),
      ] {
        let notification = Sample.notification(user)
        let content = try Sample.content()
        _ = try await store.store([notification], contents: [content])
        _ = try await inbox.apply(operation, to: [notification.id], of: user, at: .now)
        let before = try await inbox.counts(of: user)
        let again = try #require(try await store.store([notification], contents: [content]).first)
        #expect(!again.isNew)
        #expect(again.former?.plan[.inApp] == expected)
        #expect(try await inbox.counts(of: user) == before)
      }
      #expect(try await client.miscounted().isEmpty)
    }
  }
}
