import NotificationModel
import NotificationStore
import Postgres
import TestSupport
import Testing

@Suite struct SchemaTests {
  @Test func `migrations apply to an empty database and a second time do nothing`() async throws {
    try await TestDatabase.withURL(.empty) { url in
      try await TestDatabase.withClient(of: url) { client in
        #expect(try await Schema.migrate(client, logger: .quiet) == Schema.migrations.map(\.name))
        #expect(try await Schema.migrate(client, logger: .quiet).isEmpty)
        let tables = try await client.column(
          """
          SELECT relname::text FROM pg_class
          WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1
          """,
          as: String.self
        )
        #expect(
          tables == [
            "api_keys", "audit", "cancelled_requests", "catalogue_versions", "category_preferences", "deliveries",
            "devices",
            "engagement", "erased_users", "group_members", "groups", "held", "idempotency_keys", "inbox",
            "inbox_changes", "mutes",
            "nodes", "notifications", "preferences", "presence", "requests_for_nobody", "rule_notices", "rule_scans",
            "rule_states", "schedule_users", "schedules", "schema_migrations", "snoozes", "soft_bounces", "stats",
            "suppressions", "throttle_uses",
            "topic_deliveries", "topic_registrations", "topic_subscriptions",
            "user_identifiers", "users", "withdrawals",
          ]
        )
      }
    }
  }

  @Test func `presence of the first schema becomes that of nodes, and viewing has its name`() async throws {
    try await TestDatabase.withURL(.empty) { url in
      try await TestDatabase.withClient(of: url) { client in
        let first = try #require(Schema.migrations.first)
        #expect(try await PostgresMigrator.apply([first], with: client, logger: .quiet) == [first.name])
        _ = try await client.query(
          """
          INSERT INTO presence (user_id, connection_id, entity_type, entity_id)
          VALUES (gen_random_uuid(), 'old', 'Conversation', NULL)
          """
        )
        #expect(try await Schema.migrate(client, logger: .quiet) == Schema.migrations.dropFirst().map(\.name))
        let columns: SQLQuery = """
          SELECT attname || ' ' || format_type(atttypid, atttypmod) || CASE WHEN attnotnull THEN '' ELSE '?' END
          FROM pg_attribute WHERE attrelid = 'presence'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attname
          """
        let expected = [
          "connection_id text", "entity_id text", "entity_type text", "node text", "user_id uuid",
        ]
        #expect(try await client.column(columns, as: String.self) == expected)
        // What somebody looked at over a node of the old release is not known to anybody.
        #expect(try await client.value("SELECT count(*) FROM presence", as: Int.self) == 0)
        #expect(try await client.value("SELECT belfry_skip_reason(8::int2)", as: String.self) == "viewing")
        #expect(try await Schema.migrate(client, logger: .quiet).isEmpty)
        #expect(try await client.column(columns, as: String.self) == expected)
      }
    }
  }

  @Test func `what was stored before seq had an index is found by it`() async throws {
    try await TestDatabase.withURL(.empty) { url in
      try await TestDatabase.withClient(of: url) { client in
        _ = try await PostgresMigrator.apply(Array(Schema.migrations.prefix(3)), with: client, logger: .quiet)
        let user = Sample.user()
        // Every seventh is a day older than those before it.
        _ = try await client.query(
          """
          INSERT INTO notifications (user_id, id, request_id, type, title, body, in_app, push, email, seq, created_at, expires_at)
          SELECT \(user), (left(belfry_uuid_at(now() - make_interval(days => (n % 7 = 0)::int, secs => 1000 - n))::text, 13)
            || '-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, \(user), 1, '', '', 0, 0, 0, n, now(), now()
          FROM generate_series(1, 100) AS n
          """
        )
        _ = try await client.query("INSERT INTO inbox (user_id, unread, total, seq) VALUES (\(user), 100, 100, 100)")
        try await Schema.migrate(client, logger: .quiet)
        #expect(try await client.value("SELECT count(*) FROM notifications WHERE is_late", as: Int.self) == 14)
        let next = Sample.notification(user)
        _ = try await NotificationStore(client: client).store([next], contents: [try Sample.content()])
        for seq in 0...101 {
          let changes = try await InboxStore(client: client).newcomers(of: user, after: seq, limit: 200)
          #expect(changes.items.map(\.seq) == Array(1...101).filter { $0 > seq })
        }
      }
    }
  }

  @Test func `what was stored by the release before is as it was, and a detached partition of it can still be emptied`()
    async throws
  {
    try await TestDatabase.withURL(.empty) { url in
      try await TestDatabase.withClient(of: url) { client in
        let former = Array(Schema.migrations.prefix { $0.name != "m0012_inbox.sql" })
        _ = try await PostgresMigrator.apply(former, with: client, logger: .quiet)
        let (user, other) = (Sample.user(), Sample.user())
        _ = try await client.query(
          """
          INSERT INTO notifications (user_id, id, request_id, type, title, body, in_app, push, email, seq, created_at,
            expires_at, read_at)
          SELECT \(user), (left(belfry_uuid_at(now() - make_interval(days => n % 2 * 14))::text, 13) || '-7000-8000-'
            || lpad(to_hex(n), 12, '0'))::uuid, \(user), 1, '', '', 0, 0, 0, n, now(), now(), CASE WHEN n > 4 THEN now() END
          FROM generate_series(1, 6) AS n
          """
        )
        _ = try await client.query("INSERT INTO inbox (user_id, unread, total, seq) VALUES (\(user), 4, 6, 6)")
        _ = try await client.query(
          """
          INSERT INTO schedules (id, owner, definition, starts_on, done_until, created_at, updated_at)
          VALUES (\(user), 'shop', \(#"{"to":{"users":["\#(user)","\#(other)"]},"data":{"a":"\u0000 \#(user)"}}"#),
            '2026-01-01', now(), now(), now())
          """
        )
        func withdraw(_ request: UserID, by owner: String?) async throws {
          _ = try await client.query(
            """
            INSERT INTO cancelled_requests AS c (request_id, cancelled_at, owner) VALUES (\(request), now(), \(owner))
            ON CONFLICT (request_id) DO UPDATE SET owner = excluded.owner
            """
          )
        }
        try await withdraw(user, by: "shop")
        try await withdraw(other, by: nil)
        let child = try await client.value(
          "SELECT 'notifications_' || to_char(date_trunc('week', (now() - interval '14 days') AT TIME ZONE 'UTC'), 'YYYYMMDD')",
          as: String.self
        )
        _ = try await client.query("ALTER TABLE notifications DETACH PARTITION \(unescaped: child)")
        try await Schema.migrate(client, logger: .quiet)

        let counters: SQLQuery =
          "SELECT concat_ws(' ', unread, total, seq, seen_unread, change, lost_change, lost_seq) FROM inbox"
        #expect(try await client.value(counters, as: String.self) == "4 6 6 0 0 0 -1")
        #expect(try await client.value("SELECT belfry_empty_partition(\(child), NULL, 10)", as: UserID.self) == user)
        #expect(try await client.value(counters, as: String.self) == "2 3 6 0 0 0 -1")
        let named: SQLQuery = "SELECT user_id FROM schedule_users"
        #expect(Set(try await client.column(named, as: UserID.self)) == [user, other])
        // As gateways of the release before do.
        try await withdraw(user, by: "bank")
        let withdrawals: SQLQuery = "SELECT request_id::text || owner FROM withdrawals"
        #expect(
          Set(try await client.column(withdrawals, as: String.self))
            == ["\(user)shop", "\(user)bank", "\(other)"]
        )
        _ = try await client.query("UPDATE schedules SET next_at = now()")
        #expect(try await client.column(named, as: UserID.self).count == 2)
        _ = try await client.query("UPDATE schedules SET definition = \(#"{"to":{"users":["\#(other)"]}}"#)")
        #expect(try await client.column(named, as: UserID.self) == [other])
        _ = try await client.query("DELETE FROM schedules")
        #expect(try await client.column(named, as: UserID.self).isEmpty)
      }
    }
  }

  @Test func `what a profile's state said of its address is a suppression, and so is what the release before writes`()
    async throws
  {
    try await TestDatabase.withURL(.empty) { url in
      try await TestDatabase.withClient(of: url) { client in
        let former = Array(Schema.migrations.prefix { $0.name != "m0027_suppressions.sql" })
        _ = try await PostgresMigrator.apply(former, with: client, logger: .quiet)
        let users = Sample.users(5)
        let people: [(email: String?, status: Int)] = [
          ("Ann@EXAMPLE.org", 1), ("Ann@example.org", 1), ("ben@example.org", 2), ("cat@example.org", 0), (nil, 1),
        ]
        for (user, person) in zip(users, people) {
          _ = try await client.query(
            """
            INSERT INTO users (user_id, email, email_status, updated_at)
            VALUES (\(user), \(person.email), \(Int16(person.status)), '2026-11-20T08:00:00Z')
            """
          )
        }
        try await Schema.migrate(client, logger: .quiet)
        let rows: SQLQuery =
          "SELECT concat_ws(' ', address, reason, since = last_at, source) FROM suppressions ORDER BY 1"
        let moved = ["Ann@example.org 1 t profile", "ben@example.org 2 t profile"]
        #expect(try await client.column(rows, as: String.self) == moved)
        #expect(try await SuppressionStore(client: client).suppression(of: users[1])?.reason == .hardBounce)
        // As dispatchers of the release before do.
        for user in users {
          _ = try await client.query("UPDATE users SET email_status = 1 WHERE user_id = \(user) AND email_status = 0")
        }
        #expect(try await client.column(rows, as: String.self) == moved + ["cat@example.org 1 t profile"])
        _ = try await client.query("UPDATE users SET email_status = 0, email = 'dan@example.org'")
        #expect(try await client.column(rows, as: String.self).count == 3)
      }
    }
  }

  @Test func `every UUIDv7 of the coming four weeks has a partition`() async throws {
    try await TestDatabase.with { client in
      let missing = try await client.value(
        """
        SELECT count(*) FROM generate_series(now() - interval '30 days', now() + interval '28 days', '6 hours') AS t(at)
        WHERE NOT EXISTS (
          SELECT FROM pg_class c
          WHERE c.relname = 'notifications_' || to_char(date_trunc('week', t.at), 'YYYYMMDD') AND c.relispartition)
        """,
        as: Int.self
      )
      #expect(missing == 0)
      #expect(
        try await client.value("SELECT belfry_uuid_at('2026-01-05T00:00:00Z')::text", as: String.self)
          == "019b8b74-1800-0000-0000-000000000000"
      )
    }
  }

  @Test func `devices that were deactivated long ago go, but for each user's last`() async throws {
    try await TestDatabase.withURL(.empty) { url in
      try await TestDatabase.withClient(of: url) { client in
        let former = Array(Schema.migrations.prefix { $0.name != "m0003_devices.sql" })
        _ = try await PostgresMigrator.apply(former, with: client, logger: .quiet)
        _ = try await client.query(
          """
          INSERT INTO devices (user_id, id, token, platform, active, last_used_at)
          SELECT ('00000000-0000-0000-0000-00000000000' || n % 2)::uuid, gen_random_uuid(), n::text, 1, n > 100,
            now() + n * interval '1 second'
          FROM generate_series(1, 104) AS n
          """
        )
        try await Schema.migrate(client, logger: .quiet)
        let left = try await client.column("SELECT token::int FROM devices ORDER BY 1", as: Int.self)
        #expect(left == Array(71...104))
      }
    }
  }
}
