import Foundation
import NotificationModel
import Postgres
import TestSupport
import Testing

@testable import NotificationStore

/// Pushes to topics: noted, recorded, shown.
struct TopicDeliveryTests {
  private func push(
    _ request: RequestID = RequestID(now: .now),
    to topic: String = "news",
    owner: RequestOwner = .named("shop")
  ) throws -> TopicDeliveryStore.Push {
    .init(NamedRequest(request, of: owner), to: try TopicAudience(topic: topic), type: 12)
  }

  private func record(
    _ push: TopicDeliveryStore.Push,
    _ outcome: DeliveryOutcome,
    reason: String? = nil,
    attempts: Int = 1
  ) -> DeliveryStore.Record {
    DeliveryStore.Record(
      userID: Sample.user(),
      notificationID: NotificationID(push.request.id.uuid),
      channel: .push,
      target: push.topic.text,
      outcome: outcome,
      reason: reason,
      providerID: outcome == .delivered ? "projects/p/messages/1" : nil,
      attempts: attempts,
      type: push.type,
      audience: push.topic.kind
    )
  }

  @Test func `a push is noted once, and it is known what came of it`() async throws {
    try await TestDatabase.with { client in
      let topics = TopicDeliveryStore(client: client)
      let deliveries = DeliveryStore(client: client)
      let (first, second) = (try push(), try push(to: "sport"))
      #expect(try await topics.note([first], now: .now) == [.unknown])
      #expect(try await topics.note([second, first, second], now: .now) == [.unknown, .routed, .routed])
      var known = try #require(try await topics.delivery(of: first.request.id))
      #expect(known.audience == "topic" && known.target == "news" && known.type == 12 && known.delivery == nil)
      #expect(try await topics.delivery(of: RequestID(now: .now)) == nil)

      let ids = [first, second].map { NotificationID($0.request.id.uuid) }
      #expect(try await deliveries.finished(topics: ids).isEmpty)
      try await deliveries.record([record(first, .exhausted, reason: "UNAVAILABLE", attempts: 6)])
      #expect(try await deliveries.finished(topics: ids).isEmpty, "it may be redriven")
      #expect(try await topics.note([first], now: .now) == [.routed])
      try await deliveries.record([record(first, .delivered), record(second, .rejected, reason: "INVALID_ARGUMENT")])
      try await deliveries.record([record(first, .rejected, reason: "too late")])
      let keys = [
        DeliveryStore.Key(notificationID: ids[0], target: "news"), .init(notificationID: ids[1], target: "sport"),
      ]
      #expect(try await deliveries.finished(topics: ids) == Set(keys))
      #expect(try await topics.note([first, second], now: .now) == [.finished, .finished])
      known = try #require(try await topics.delivery(of: first.request.id))
      #expect(known.delivery?.outcome == DeliveryOutcome.delivered.rawValue && known.delivery?.reason == nil)
      #expect(known.delivery?.providerID == "projects/p/messages/1" && known.delivery?.attempts == 1)
    }
  }

  @Test func `outcomes of topics and of people are recorded together, and only people's are counted`() async throws {
    try await TestDatabase.with { client in
      let push = try push()
      _ = try await TopicDeliveryStore(client: client).note([push], now: .now)
      let person = Sample.notification(Sample.user())
      let own = DeliveryStore.Record(
        userID: person.userID,
        notificationID: person.id,
        channel: .push,
        target: "device",
        outcome: .delivered,
        attempts: 1,
        type: 10
      )
      let unknown = record(try self.push(), .delivered)
      try await DeliveryStore(client: client).record([record(push, .delivered), own, unknown])
      #expect(try await client.value("SELECT count(*) FROM deliveries", as: Int.self) == 1)
      #expect(try await client.value("SELECT sum(sent)::int8 FROM stats WHERE channel <> 0", as: Int.self) == 1)
      #expect(try await client.value("SELECT count(*) FROM topic_deliveries WHERE outcome = 1", as: Int.self) == 1)
      #expect(try await client.value("SELECT count(*) FROM topic_deliveries", as: Int.self) == 1)
    }
  }

  @Test func `a request to a topic is its sender's`() async throws {
    try await TestDatabase.with { client in
      let push = try push()
      _ = try await TopicDeliveryStore(client: client).note([push], now: .now)
      let requests = RequestStore(client: client)
      #expect(try await requests.ownership(of: push.request.id, for: "shop") == .yours)
      #expect(try await requests.ownership(of: push.request.id, for: "bank") == .notYours)
      #expect(try await requests.ownership(of: push.request.id, for: nil) == .yours)
    }
  }

  @Test func `the log has topics among the others, in order and page by page`() async throws {
    try await TestDatabase.with { client in
      let deliveries = DeliveryStore(client: client)
      let pushes = try (0..<4).map { try push(to: "topic-\($0)") }
      _ = try await TopicDeliveryStore(client: client).note(pushes, now: .now)
      let person = Sample.notification(Sample.user())
      _ = try await NotificationStore(client: client).store([person], contents: [try Sample.content()])
      let devices = (0..<4).map { number in
        DeliveryStore.Record(
          userID: person.userID,
          notificationID: person.id,
          channel: .push,
          target: "device-\(number)",
          outcome: .rejected,
          attempts: 1,
          type: 10
        )
      }
      try await deliveries.record(devices + pushes.prefix(3).map { record($0, .rejected) })
      try await deliveries.record([record(pushes[3], .delivered)])
      // Two of each a day apart, the others of one moment.
      for (table, column, prefix) in [("deliveries", "target", "device"), ("topic_deliveries", "target", "topic")] {
        _ = try await client.query(
          """
          UPDATE \(unescaped: table) SET finished_at = date_trunc('day', now()) - right(\(unescaped: column), 1)::int / 2
            * interval '1 day' WHERE \(unescaped: column) LIKE \(prefix + "-%")
          """
        )
      }
      let search = DeliverySearch(client: client)
      func targets(_ filter: DeliverySearch.Filter, by limit: Int) async throws -> [String] {
        var (targets, cursor) = ([String](), DeliverySearch.Cursor?.none)
        while true {
          let page = try #require(try await search.page(filter, after: cursor, limit: limit))
          targets += page.entries.map(\.delivery.target)
          guard page.hasMore else { return targets }
          cursor = try #require(page.entries.last).cursor
        }
      }
      let all = try await targets(.init(), by: 100)
      #expect(Set(all) == Set(devices.map(\.target) + ["topic-0", "topic-1", "topic-2"]) && all.count == 7)
      let days = all.map { Int($0.suffix(1)).map { $0 / 2 } }
      #expect(days == [0, 0, 0, 0, 1, 1, 1])
      for limit in 1...3 { #expect(try await targets(.init(), by: limit) == all) }
      #expect(try await targets(.init(request: pushes[3].request.id), by: 10) == ["topic-3"])
      #expect(try await targets(.init(request: pushes[0].request.id, outcome: .delivered), by: 10) == [])
      #expect(try await targets(.init(user: person.userID), by: 10).count == 4)
      let entry = try #require(try await search.page(.init(request: pushes[3].request.id), limit: 1)?.entries.first)
      #expect(entry.recipient == nil && entry.audience == "topic" && entry.request == pushes[3].request.id)
      #expect(entry.type == 12)
    }
  }
}
