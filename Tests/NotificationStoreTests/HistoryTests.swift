import Foundation
import NotificationModel
import NotificationStore
import TestSupport
import Testing

struct HistoryTests {
  @Test func `what was decided comes with every target's outcome`() async throws {
    try await TestDatabase.with { client in
      let ann = Sample.user()
      let until = Date(timeIntervalSince1970: (Date.now.timeIntervalSince1970 + 3_600).rounded())
      let notification = Sample.notification(ann, push: .deliver, email: .hold(until: until, .unread))
      _ = try await NotificationStore(client: client).store([notification], contents: [try Sample.content()])
      let record = { (target: String, outcome: DeliveryOutcome, reason: String?) in
        DeliveryStore.Record(
          userID: ann,
          notificationID: notification.id,
          channel: .push,
          target: target,
          outcome: outcome,
          reason: reason,
          providerID: "p-\(target)",
          attempts: 2
        )
      }
      try await DeliveryStore(client: client)
        .record([record("b", .rejected, "UNREGISTERED"), record("a", .delivered, nil)])
      let store = HistoryStore(client: client)
      let history = try #require(try await store.history(of: notification.id, user: ann))
      #expect(history.id == notification.id && history.requestID == notification.requestID && history.type == 10)
      #expect(history.plan == notification.plan)
      #expect(history.readAt == nil)
      #expect(history.deliveries.map(\.target) == ["a", "b"])
      #expect(history.deliveries.map(\.outcome) == [1, 2])
      #expect(history.deliveries.map(\.reason) == [nil, "UNREGISTERED"])
      #expect(history.deliveries.allSatisfy { $0.attempts == 2 && $0.providerID == "p-\($0.target)" })
      #expect(try await store.history(of: notification.id, user: Sample.user()) == nil)
      let stranger = Sample.notification(ann)
      #expect(try await store.history(of: stranger.id, user: ann) == nil)
    }
  }

  @Test func `the latest come newest first, page by page, with those that never were in the inbox`() async throws {
    try await TestDatabase.with { client in
      let ann = Sample.user()
      let history = try Sample.history(5, of: ann)
      var notifications = history.notifications
      notifications[3].plan[.inApp] = .skip(.preferenceOff)
      let stranger = try Sample.history(1, of: Sample.user())
      let store = NotificationStore(client: client)
      _ = try await store.store(notifications, contents: history.contents)
      _ = try await store.store(stranger.notifications, contents: stranger.contents)
      try await DeliveryStore(client: client).record(
        notifications.map {
          .init(userID: ann, notificationID: $0.id, channel: .push, target: "t", outcome: .delivered, attempts: 1)
        }
      )
      let histories = HistoryStore(client: client)
      let ids = Array(notifications.map(\.id).reversed())
      let first = try await histories.latest(of: ann, before: nil, limit: 3)
      #expect(first.map(\.id) == Array(ids.prefix(3)))
      #expect(first.allSatisfy { $0.deliveries.count == 1 })
      #expect(first[1].plan[.inApp] == .skip(.preferenceOff))
      let rest = try await histories.latest(of: ann, before: first.last?.id, limit: 3)
      #expect(rest.map(\.id) == Array(ids.suffix(2)))
      #expect(try await histories.latest(of: Sample.user(), before: nil, limit: 3).isEmpty)
    }
  }
}
