import Foundation
import NotificationModel
import Postgres
import TestSupport
import Testing

@testable import NotificationStore

/// Whatever is done, in whatever order and however often: the counts are those of the rows.
struct StatRecountTests {
  /// Notifications of some people, types and days, with random plans; each of several calls may store it, or what came of it.
  private struct Traffic: Sendable {
    let notifications: [NewNotification]
    let contents: [NotificationContent]

    init(seed: UInt64) throws {
      var random = SplitMix64(seed: seed)
      let users = Sample.users(12)
      let types = [2, 10, 12]
      let now = Date.now
      contents = try types.map { try Sample.content(type: $0, at: now) }
      notifications = (0..<300).map { _ in
        // Days that are counted one by one, and one that is folded.
        let age = [0, 86_400, 9 * 86_400].randomElement(using: &random) ?? 0
        let decisions: [ChannelDecision] = [.deliver, .deliver, .skip(.preferenceOff)]
        return Sample.notification(
          users[Int.random(in: users.indices, using: &random)],
          request: RequestID(now: now - Double(age)),
          content: Int.random(in: types.indices, using: &random),
          inApp: decisions[Int.random(in: 0..<3, using: &random)],
          push: decisions[Int.random(in: 0..<3, using: &random)],
          email: decisions[Int.random(in: 0..<3, using: &random)]
        )
      }
    }

    func some(_ count: Int, _ random: inout SplitMix64) -> [NewNotification] {
      Array(notifications.shuffled(using: &random).prefix(count))
    }

    func record(_ notification: NewNotification, _ random: inout SplitMix64) -> DeliveryStore.Record {
      let outcomes = DeliveryOutcome.allCases
      let isPush = Bool.random(using: &random)
      return DeliveryStore.Record(
        userID: notification.userID,
        notificationID: notification.id,
        channel: isPush ? .push : .email,
        target: isPush ? "device \(Int.random(in: 0..<2, using: &random))" : "ann@example.org",
        outcome: outcomes[Int.random(in: outcomes.indices, using: &random)],
        attempts: 1,
        type: contents[notification.content].type
      )
    }
  }

  /// By day, type and channel.
  private static func counted(_ client: PostgresClient) async throws -> [String] {
    try await client.column(
      """
      SELECT concat_ws(' ', day, type, channel, sum(sent), sum(delivered), sum(failed), sum(opened), sum(acted))
      FROM stats GROUP BY day, type, channel ORDER BY day, type, channel
      """
    )
  }

  /// The same by the rows that were counted.
  private static func recounted(_ client: PostgresClient) async throws -> [String] {
    try await client.column(
      """
      WITH facts AS (
        SELECT id, type, 0 AS channel, 1 AS sent, (in_app IN (0, 13, 18, 19, 20))::int AS delivered, 0 AS failed, 0 AS opened,
          0 AS acted
        FROM notifications
        UNION ALL
        SELECT n.id, n.type, d.channel, 1, (d.outcome = 1)::int, (d.outcome <> 1)::int, 0, 0
        FROM deliveries d JOIN notifications n ON n.user_id = d.user_id AND n.id = d.notification_id
        UNION ALL
        SELECT n.id, n.type, c.channel, 0, 0, 0, (e.action = '(opened)')::int, (e.action <> '(opened)')::int
        FROM engagement e JOIN notifications n ON n.user_id = e.user_id AND n.id = e.notification_id
          CROSS JOIN LATERAL (VALUES (0, true), (2, n.push = 0), (3, n.email = 0)) AS c(channel, was_sent)
        WHERE c.was_sent
      ), dated AS (
        SELECT (to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::int8 / 1000.0) AT TIME ZONE 'UTC')::date
          AS day, *
        FROM facts
      )
      SELECT concat_ws(' ', day, type, channel, sum(sent), sum(delivered), sum(failed), sum(opened), sum(acted))
      FROM dated GROUP BY day, type, channel ORDER BY day, type, channel
      """
    )
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `whatever eight clients store, record, open and fold at once, and repeat, is counted once`(_ seed: UInt64)
    async throws
  {
    try await TestDatabase.with(connections: 8) { client in
      let traffic = try Traffic(seed: seed)
      let store = NotificationStore(client: client)
      let deliveries = DeliveryStore(client: client)
      let inbox = InboxStore(client: client)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for worker in 0..<8 {
          group.addTask {
            var random = SplitMix64(seed: seed << 8 | UInt64(worker))
            for round in 0..<40 {
              switch (worker + round) % 8 {
              case 0, 1, 2:
                _ = try await store.store(traffic.some(20, &random), contents: traffic.contents)
              case 3, 4:
                let some = traffic.some(30, &random)
                try await deliveries.record(some.map { traffic.record($0, &random) })
              case 5:
                for notification in traffic.some(5, &random) {
                  _ = try await EngagementStore(client: client).note(
                    [nil, "GO", "STAY"][Int.random(in: 0..<3, using: &random)],
                    of: notification.id,
                    type: traffic.contents[notification.content].type,
                    by: notification.userID,
                    at: .now
                  )
                }
              case 6:
                for notification in traffic.some(5, &random) {
                  let act: InboxAct = Bool.random(using: &random) ? .delete : .archive
                  _ = try await inbox.place([notification.id], of: notification.userID, act, at: .now)
                }
              default: _ = try await store.store([traffic.notifications[round]], contents: traffic.contents)
              }
              // One at a time does the upkeep.
              if worker == 0 { _ = try await client.query(StatStore.fold) }
            }
          }
        }
        try await group.waitForAll()
      }
      // So that each outcome has its notification.
      _ = try await store.store(traffic.notifications, contents: traffic.contents)
      let expected = try await Self.recounted(client)
      #expect(try await Self.counted(client) == expected)
      #expect(try await client.value("SELECT count(*) FROM deliveries WHERE former IS NOT NULL", as: Int.self) > 0)
      #expect(try await client.value("SELECT count(*) FROM engagement", as: Int.self) > 0)
      _ = try await client.query(StatStore.fold)
      #expect(try await Self.counted(client) == expected)
      // Nobody counts in this moment, so nothing is left.
      let old = "FROM stats WHERE day < (now() AT TIME ZONE 'UTC')::date - 2"
      #expect(try await client.value("SELECT count(*) > 0 AND max(slot) = 0 \(unescaped: old)", as: Bool.self))
    }
  }

  @Test func `what was given up and came through after all is moved, and repeated or late outcomes change nothing`()
    async throws
  {
    try await TestDatabase.with { client in
      let notification = Sample.notification(Sample.user())
      let store = NotificationStore(client: client)
      let deliveries = DeliveryStore(client: client)
      for _ in 0..<2 { _ = try await store.store([notification], contents: [try Sample.content()]) }
      for (outcome, expected) in [
        (DeliveryOutcome.exhausted, "1 0 1"), (.exhausted, "1 0 1"), (.rejected, "1 0 1"), (.delivered, "1 1 0"),
        (.delivered, "1 1 0"), (.expired, "1 1 0"),
      ] {
        let record = DeliveryStore.Record(
          userID: notification.userID,
          notificationID: notification.id,
          channel: .push,
          target: "device",
          outcome: outcome,
          attempts: 1,
          type: 10
        )
        try await deliveries.record([record, record])
        let counts: SQLQuery =
          "SELECT concat_ws(' ', sum(sent), sum(delivered), sum(failed)) FROM stats WHERE channel = 2 AND type = 10"
        #expect(try await client.value(counts, as: String.self) == expected, "\(outcome)")
      }
      #expect(try await Self.counted(client) == Self.recounted(client))
    }
  }

  @Test func `an outcome of the release before, which nobody counted, counts when it is replaced`() async throws {
    try await TestDatabase.with { client in
      let notification = Sample.notification(Sample.user())
      _ = try await NotificationStore(client: client).store([notification], contents: [try Sample.content()])
      var record = DeliveryStore.Record(
        userID: notification.userID,
        notificationID: notification.id,
        channel: .email,
        target: "ann@example.org",
        outcome: .exhausted,
        attempts: 1
      )
      let deliveries = DeliveryStore(client: client)
      try await deliveries.record([record])
      #expect(try await client.value("SELECT count(*) FROM stats WHERE channel = 3", as: Int.self) == 0)
      (record.outcome, record.type) = (.delivered, 10)
      try await deliveries.record([record])
      #expect(try await Self.counted(client) == Self.recounted(client))
    }
  }

  @Test func `what is not stored is not counted`() async throws {
    try await TestDatabase.with { client in
      let (ann, ben) = (Sample.user(), Sample.user())
      _ = try await ErasureStore(client: client).erase(ann, by: nil, at: .now)
      let content = try Sample.content(at: .now - 60)
      let stored = try await NotificationStore(client: client).store(
        [Sample.notification(ann), Sample.notification(ben)],
        contents: [content]
      )
      #expect(stored.map(\.isErased) == [true, false])
      #expect(try await client.value("SELECT sum(sent)::int8 FROM stats", as: Int.self) == 1)
      #expect(try await Self.counted(client) == Self.recounted(client))
    }
  }
}
