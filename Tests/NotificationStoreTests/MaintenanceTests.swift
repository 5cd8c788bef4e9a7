import Foundation
import NotificationModel
import NotificationStore
import Postgres
import TestSupport
import Testing

@Suite struct MaintenanceTests {
  private static let day: Duration = .seconds(86_400)

  private static func run(_ client: PostgresClient, retentionDays: Int = 30) async throws -> MaintenanceStore.Report? {
    try await MaintenanceStore(client: client).run(
      retention: day * retentionDays,
      keyLifetime: day,
      staleDevice: day * 90
    )
  }

  private static func partitions(_ client: PostgresClient) async throws -> Set<String> {
    Set(
      try await client.column(
        "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent::regclass::text IN ('notifications', 'deliveries')"
      )
    )
  }

  @Test func `missing partitions are made for the coming four weeks`() async throws {
    try await TestDatabase.with { client in
      let all = try await Self.partitions(client)
      let week = try await client.value(
        "SELECT to_char(date_trunc('week', now() + interval '21 days'), 'YYYYMMDD')",
        as: String.self
      )
      #expect(all.contains("notifications_\(week)"))
      _ = try await client.query("DROP TABLE \(unescaped: "notifications_\(week)")")
      _ = try await client.query("DROP TABLE \(unescaped: "deliveries_\(week)")")
      let report = try #require(try await Self.run(client))
      #expect(report.partitionsMade == 2)
      #expect(try await Self.partitions(client).contains("notifications_\(week)"))
      #expect(try await Self.run(client)?.partitionsMade == 0)
    }
  }

  @Test func `the longest retention that a router takes has a partition for each of its weeks`() async throws {
    try await TestDatabase.with { client in
      let report = try #require(try await Self.run(client, retentionDays: 1_825))
      #expect(report.partitionsMade > 2 * 250)
      #expect(try await Self.run(client, retentionDays: 1_825) == MaintenanceStore.Report())
    }
  }

  @Test func `old partitions go, and the counters with them`() async throws {
    try await TestDatabase.with { client in
      let store = NotificationStore(client: client)
      let old = Date.now - 35 * 86_400
      // More users than are corrected at once.
      let users = Sample.users(1_300)
      let ann = users[0]
      let former = RequestID(now: old)
      let formerToo = RequestID(now: old + 1)
      let past = users.map { Sample.notification($0, request: former) } + [Sample.notification(ann, request: formerToo)]
      let hidden = Sample.notification(ann, request: RequestID(now: old + 2), inApp: .skip(.preferenceOff))
      let content = try Sample.content(at: old)
      _ = try await store.store(past + [hidden], contents: [content])
      _ = try await InboxStore(client: client).apply(.read, to: [past[0].id], of: ann, at: .now)
      let recent = users.prefix(2).map { Sample.notification($0) }
      _ = try await store.store(recent, contents: [try Sample.content()])
      try await DeliveryStore(client: client).record([
        .init(userID: ann, notificationID: past[0].id, channel: .push, target: "a", outcome: .delivered, attempts: 1)
      ])
      let inbox = InboxStore(client: client)
      #expect(try await inbox.counts(of: ann) == .init(unread: 2, total: 3))

      let report = try #require(try await Self.run(client, retentionDays: 20))
      #expect(report.partitionsDropped >= 2)
      #expect(report.partitionsMade == 0)
      #expect(try await inbox.counts(of: ann) == .init(unread: 1, total: 1))
      #expect(try await inbox.counts(of: users[1]) == .init(unread: 1, total: 1))
      #expect(try await inbox.counts(of: users[1_299]) == .init(unread: 0, total: 0))
      #expect(try await client.value("SELECT sum(total)::int8 FROM inbox", as: Int.self) == 2)
      #expect(try await client.value("SELECT count(*) FROM notifications", as: Int.self) == 2)
      #expect(try await client.value("SELECT count(*) FROM deliveries", as: Int.self) == 0)
      #expect(try await inbox.page(of: ann, filter: .init(), offset: 0, limit: 9).items.map(\.id) == [recent[0].id])
      // seq goes on where it was.
      let next = try await store.store([Sample.notification(ann)], contents: [try Sample.content()])
      #expect(next[0].seq == 4)
      #expect(try await Self.run(client, retentionDays: 20) == MaintenanceStore.Report())
    }
  }

  @Test func `what a dead run left half removed is removed`() async throws {
    try await TestDatabase.with { client in
      let user = Sample.user()
      // Its whole week is older than what is kept, whichever day is today.
      let old = Date.now - 45 * 86_400
      _ = try await client.query("SELECT belfry_make_partitions(\(old), \(old))")
      _ = try await NotificationStore(client: client).store(
        [Sample.notification(user, request: RequestID(now: old))],
        contents: [try Sample.content(at: old)]
      )
      let week = try await client.value(
        "SELECT to_char(date_trunc('week', \(old)::timestamptz), 'YYYYMMDD')",
        as: String.self
      )
      let name = "notifications_\(week)"
      _ = try await client.query("ALTER TABLE notifications DETACH PARTITION \(unescaped: name)")
      _ = try #require(try await Self.run(client))
      #expect(try await client.value("SELECT to_regclass(\(name)) IS NULL", as: Bool.self))
      #expect(try await InboxStore(client: client).counts(of: user) == .init(unread: 0, total: 0))
    }
  }

  @Test func `partitions are made and dropped while notifications arrive and are read`() async throws {
    try await TestDatabase.with(connections: 6) { client in
      let store = NotificationStore(client: client)
      let inbox = InboxStore(client: client)
      let users = Sample.users(50)
      let old = Date.now - 35 * 86_400
      for second in 0..<20 {
        _ = try await store.store(
          users.map { Sample.notification($0, request: RequestID(now: old + Double(second))) },
          contents: [try Sample.content(at: old)]
        )
      }
      let content = try Sample.content()
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          let report = try await Self.run(client, retentionDays: 7)
          #expect(report != nil)
        }
        for _ in 0..<4 {
          group.addTask {
            for _ in 0..<15 {
              let new = users.shuffled().map { Sample.notification($0) }
              _ = try await store.store(new, contents: [content])
              for notification in new.prefix(5) {
                _ = try await inbox.apply(.read, to: [notification.id], of: notification.userID, at: .now)
              }
            }
          }
        }
        try await group.waitForAll()
      }
      let wrong = try await client.column(
        """
        SELECT b.user_id FROM inbox b LEFT JOIN notifications n USING (user_id) GROUP BY b.user_id, b.total, b.unread
        HAVING b.total <> count(n.id) OR b.unread <> count(n.id) FILTER (WHERE n.read_at IS NULL)
        """,
        as: UserID.self
      )
      #expect(wrong.isEmpty)
    }
  }

  @Test func `of concurrent runs one does the work`() async throws {
    try await TestDatabase.with(connections: 4) { client in
      try await client.withConnection { session in
        _ = try await session.query("SELECT pg_advisory_lock(\(0x62_65_6C_66_72_79))")
        #expect(try await Self.run(client) == nil)
      }
      #expect(try await Self.run(client) != nil)
    }
  }

  @Test func `what throttles let through is forgotten when none can look back that far`() async throws {
    try await TestDatabase.with { client in
      _ = try await client.query(
        """
        INSERT INTO throttle_uses (user_id, type, key, notification_id, used_at)
        SELECT gen_random_uuid(), 1, '', gen_random_uuid(), now() - n * interval '1 day' FROM generate_series(1, 40) AS n
        """
      )
      #expect(try await Self.run(client)?.throttleUsesDeleted == 10)
      let left = "SELECT count(*) FROM throttle_uses WHERE used_at > now() - interval '30 days 1 minute'" as SQLQuery
      #expect(try await client.value(left, as: Int.self) == 30)
      #expect(try await Self.run(client)?.throttleUsesDeleted == 0)
    }
  }

  @Test func `what is noted of requests goes with the age of their notifications`() async throws {
    try await TestDatabase.with { client in
      for (table, time) in [
        ("withdrawals (request_id, owner,", "withdrawn_at"), ("cancelled_requests (request_id, owner,", "cancelled_at"),
        ("requests_for_nobody (request_id, request_owner,", "routed_at"),
        ("topic_deliveries (audience, target, type, request_id, request_owner,", "routed_at"),
      ] {
        _ = try await client.query(
          """
          INSERT INTO \(unescaped: table) \(unescaped: time))
          SELECT \(unescaped: table.hasPrefix("topic") ? "'topic', 'news', 12, " : "") gen_random_uuid(), 'shop', now() - n * interval '1 day' - interval '1 hour' FROM generate_series(28, 31) AS n
          """
        )
      }
      _ = try await Self.run(client)
      for (table, left) in [
        ("withdrawals", 4), ("cancelled_requests", 2), ("requests_for_nobody", 2), ("topic_deliveries", 2),
      ] {
        #expect(try await client.value("SELECT count(*) FROM \(unescaped: table)", as: Int.self) == left)
      }
    }
  }

  @Test func `old keys are forgotten and disused devices deactivated`() async throws {
    try await TestDatabase.with { client in
      let keys = IdempotencyStore(client: client)
      let devices = DeviceStore(client: client)
      let user = Sample.user()
      func claim(_ key: String) -> IdempotencyStore.Claim {
        .init(scope: "s", key: key, requestID: RequestID(now: .now), bodyHash: [])
      }
      _ = try await keys.claim([claim("old")])
      _ = try await devices.register(.sample("old"), of: user)
      _ = try await client.query("UPDATE idempotency_keys SET created_at = now() - interval '25 hours'")
      _ = try await client.query("UPDATE devices SET last_used_at = now() - interval '91 days'")
      _ = try await keys.claim([claim("new")])
      _ = try await devices.register(.sample("new"), of: user)
      let report = try #require(try await Self.run(client))
      #expect(report.keysDeleted == 1)
      #expect(report.devicesDeactivated == 1)
      #expect(try await client.column("SELECT key FROM idempotency_keys", as: String.self) == ["new"])
      #expect(try await devices.devices(of: user).map(\.isActive) == [true, false])
    }
  }

  @Test func `old changes are forgotten, which is said, and what was snoozed or opened goes with its week`()
    async throws
  {
    try await TestDatabase.with { client in
      let user = Sample.user()
      let inbox = InboxStore(client: client)
      let (old, new) = (
        Sample.notification(user, request: RequestID(now: .now - 35 * 86_400)), Sample.notification(user)
      )
      _ = try await NotificationStore(client: client).store([old, new], contents: [try Sample.content()])
      let long = Date.now - 34 * 86_400
      _ = try await inbox.apply(.snooze(until: .now + 86_400), to: [old.id], of: user, at: long)
      _ = try await inbox.apply(.seen, to: [new.id], of: user, at: .now)
      _ = try await EngagementStore(client: client).note("GO", of: old.id, type: 10, by: user, at: long)
      let last = try await inbox.changes(of: user, after: 2, change: nil).change
      _ = try await Self.run(client)
      #expect(try await client.value("SELECT count(*) FROM snoozes", as: Int.self) == 0)
      #expect(try await client.value("SELECT count(*) FROM engagement", as: Int.self) == 0)
      #expect(try await !inbox.changes(of: user, after: 2, change: 0).isComplete)
      #expect(try await inbox.changes(of: user, after: 2, change: last).isComplete)
    }
  }
}
