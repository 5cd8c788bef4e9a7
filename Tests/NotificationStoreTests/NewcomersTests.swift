import Foundation
import NotificationModel
import NotificationStore
import Postgres
import TestSupport
import Testing

struct NewcomersTests {
  @Test func `a user without an inbox has missed nothing`() async throws {
    try await TestDatabase.with { client in
      let changes = try await InboxStore(client: client).newcomers(of: Sample.user(), after: 0, limit: 10)
      #expect(changes.items.isEmpty)
      #expect(!changes.hasMore)
      #expect(changes.seq == 0)
      #expect(changes.unread == 0)
    }
  }

  @Test func `what came after a seq is listed in order, page by page, and to its owner alone`() async throws {
    try await TestDatabase.with { client in
      let user = Sample.user()
      let history = try Sample.history(25, of: user)
      let store = NotificationStore(client: client)
      _ = try await store.store(history.notifications, contents: history.contents)
      _ = try await store.store([Sample.notification(Sample.user())], contents: [try Sample.content()])
      let inbox = InboxStore(client: client)
      _ = try await inbox.apply(.read, to: [history.notifications[20].id], of: user, at: .now)

      let first = try await inbox.newcomers(of: user, after: 5, limit: 15)
      #expect(first.items.map(\.id) == history.notifications[5..<20].map(\.id))
      #expect(first.items.map(\.seq) == Array(6...20))
      #expect(first.hasMore)
      #expect(first.seq == 25)
      #expect(first.unread == 24)
      let second = try await inbox.newcomers(of: user, after: 20, limit: 5)
      #expect(second.items.map(\.seq) == Array(21...25))
      #expect(second.items.map { $0.readAt != nil } == [true, false, false, false, false])
      #expect(!second.hasMore)
      // At the end, and beyond it (a client that knew a database since restored).
      for seq in [25, 26, 9_999] {
        let none = try await inbox.newcomers(of: user, after: seq, limit: 10)
        #expect(none.items.isEmpty)
        #expect(!none.hasMore)
        #expect(none.seq == 25)
        #expect(none.unread == 24)
      }
    }
  }

  @Test func `the order is that of arrival, whatever the age of the requests, and hidden ones are left out`()
    async throws
  {
    try await TestDatabase.with { client in
      let user = Sample.user()
      let store = NotificationStore(client: client)
      let ages: [TimeInterval] = [10, 5 * 86_400, 20, 3_600, 0]
      for (index, age) in ages.enumerated() {
        let time = Date.now - age
        let hidden = Sample.notification(user, request: RequestID(now: time + 1), inApp: .skip(.preferenceOff))
        let shown = Sample.notification(user, request: RequestID(now: time))
        _ = try await store.store([hidden, shown], contents: [try Sample.content(title: "\(index)", at: time)])
      }
      let inbox = InboxStore(client: client)
      for seq in 0...5 {
        let changes = try await inbox.newcomers(of: user, after: seq, limit: 10)
        #expect(changes.items.map(\.title) == (seq..<5).map { "\($0)" })
        #expect(changes.seq == 5)
      }
    }
  }

  @Test func `what retention has dropped is passed over, and nothing else`() async throws {
    try await TestDatabase.with { client in
      let user = Sample.user()
      let store = NotificationStore(client: client)
      let old = Date.now - 33 * 86_400
      for time in [old, old + 1, .now] {
        let notification = Sample.notification(user, request: RequestID(now: time))
        _ = try await store.store([notification], contents: [try Sample.content(at: time)])
      }
      let report = try await MaintenanceStore(client: client).run(
        retention: .seconds(20 * 86_400),
        keyLifetime: .seconds(86_400),
        staleDevice: .seconds(86_400)
      )
      #expect(try #require(report).partitionsDropped > 0)
      let changes = try await InboxStore(client: client).newcomers(of: user, after: 0, limit: 10)
      #expect(changes.items.map(\.seq) == [3])
      #expect(!changes.hasMore)
      #expect(changes.seq == 3)
      #expect(changes.unread == 1)
    }
  }

  @Test func `who follows along while others store sees every seq once, in order`() async throws {
    try await TestDatabase.with(connections: 6) { client in
      let store = NotificationStore(client: client)
      let inbox = InboxStore(client: client)
      let user = Sample.user()
      let content = try Sample.content()
      let writers = 4
      let calls = 25
      let seen = try await withThrowingTaskGroup(of: [Int].self) { group in
        for writer in 0..<writers {
          group.addTask {
            for _ in 0..<calls {
              // Requests of different ages, two at a time: ids do not grow with `seq`.
              let times = [Date.now - Double(writer * 3_600), Date.now]
              let new = times.map { Sample.notification(user, request: RequestID(now: $0)) }
              _ = try await store.store(new, contents: [content])
            }
            return []
          }
        }
        group.addTask {
          var seen: [Int] = []
          while seen.count < writers * calls * 2 {
            let changes = try await inbox.newcomers(of: user, after: seen.last ?? 0, limit: 7)
            #expect(changes.unread == changes.seq)
            #expect(changes.hasMore == ((changes.items.last?.seq ?? changes.seq) < changes.seq))
            seen += changes.items.map(\.seq)
          }
          return seen
        }
        return try await group.reduce([], +)
      }
      #expect(seen == Array(1...writers * calls * 2))
    }
  }

  @Test func `however ids and seq differ, every page from every seq is complete and in order`() async throws {
    try await TestDatabase.with { client in
      let user = Sample.user()
      let store = NotificationStore(client: client)
      var random = SplitMix64(seed: 7)
      var titles: [String] = []
      for _ in 0..<40 {
        // One time in four far in the past, else close to the others, before or after; some of each batch are hidden.
        var batch: [NewNotification] = []
        var contents: [NotificationContent] = []
        for _ in 0..<Int.random(in: 1...8, using: &random) {
          let age = Int.random(in: 0..<4, using: &random) == 0 ? Double.random(in: 0...2_000_000, using: &random) : 0
          let time = Date.now - age - Double.random(in: 0...0.01, using: &random)
          let isHidden = Int.random(in: 0..<5, using: &random) == 0
          batch.append(
            Sample.notification(
              user,
              request: RequestID(now: time),
              content: contents.count,
              inApp: isHidden ? .skip(.preferenceOff) : .deliver
            )
          )
          if !isHidden { titles.append("\(titles.count + 1)") }
          contents.append(try Sample.content(title: isHidden ? "hidden" : titles[titles.count - 1], at: time))
        }
        _ = try await store.store(batch, contents: contents)
      }
      let late = try await client.value(
        "SELECT count(*) FROM notifications WHERE in_app = \(InboxState.inbox.rawValue) AND is_late",
        as: Int.self
      )
      #expect((20..<titles.count - 5).contains(late))
      let inbox = InboxStore(client: client)
      for seq in 0...titles.count {
        for limit in [1, 40] {
          let changes = try await inbox.newcomers(of: user, after: seq, limit: limit)
          #expect(changes.items.map(\.title) == Array(titles[seq...].prefix(limit)))
          #expect(
            changes.items.map(\.seq) == Array((seq + 1)...(titles.count + 1)).prefix(changes.items.count).map(\.self)
          )
          #expect(changes.hasMore == (titles.count - seq > limit))
        }
      }
    }
  }
}
