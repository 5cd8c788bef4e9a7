import Foundation
import Postgres
import TestSupport
import Testing

@testable import NotificationModel
@testable import NotificationStore

/// What the planner makes of the statements on what waits, at a million rows, and how large the table becomes.
struct HeldPlanTests {
  private static let claim = HeldClaim(
    until: .now,
    entries: [
      HeldEntry(
        key: .init(user: MillionRows.heavy, notification: NotificationID(MillionRows.heavy.uuid), channel: .push),
        due: .now,
        reason: .paused,
        type: 1
      )
    ]
  )
  private static let heavy = "'{\(MillionRows.heavy)}'"
  private static let key = HeldStore.WindowKey(user: MillionRows.heavy, channel: .push, type: 1, key: "")

  /// Beside a million notifications.
  private static let filled = DatabaseContents("held", on: MillionRows.contents) { client in
    // Autovacuum would look at it in the middle of the test.
    _ = try await client.query("ALTER TABLE held SET (autovacuum_enabled = false)")
    try await client.fill(
      "held",
      """
      INSERT INTO held (user_id, notification_id, channel, due_at, reason, type, digest_key)
      SELECT md5((n % 300000)::text)::uuid, md5('n' || n)::uuid, 2, now() - n % 3600 * interval '1 second', 1 + n % 5, 1, ''
      FROM generate_series(1, 1000000) AS n
      """
    )
  }

  private static let used = DatabaseContents("throttle_uses") { client in
    try await client.fill(
      "throttle_uses",
      """
      INSERT INTO throttle_uses (user_id, type, key, notification_id, used_at)
      SELECT \(MillionRows.heavy), 1, '', md5(n::text)::uuid, now() - n * interval '1 second'
      FROM generate_series(1, 1000000) AS n
      """
    )
  }

  /// What a table's statistics were that was empty when PostgreSQL looked last.
  private func forgetStatistics(_ client: PostgresClient) async throws {
    _ = try await client.query("DELETE FROM pg_statistic WHERE starelid = 'held'::regclass")
    _ = try await client.query(
      """
      UPDATE pg_class SET relpages = 0, reltuples = 0, relallvisible = 0
      WHERE oid = 'held'::regclass OR oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = 'held'::regclass)
      """
    )
  }

  private func plan(
    _ query: SQLQuery,
    planned hints: PlannerHints = .alongIndexes,
    _ parameters: [(type: String, value: String)],
    isGeneric: Bool,
    isRun: Bool = false,
    _ client: PostgresClient
  ) async throws -> QueryPlan {
    try await QueryPlan.of(
      query,
      planned: hints,
      types: parameters.map(\.type),
      arguments: parameters.map(\.value),
      isGeneric: isGeneric,
      isRun: isRun,
      client
    )
  }

  /// Also if the planner believes the table to be empty, as it was when it looked last.
  @Test(arguments: [true, false], [true, false])
  func `at a million due rows a claim reads what it takes`(isGeneric: Bool, isAnalysed: Bool) async throws {
    try await TestDatabase.with(Self.filled) { client in
      if !isAnalysed { try await forgetStatistics(client) }
      let time = ("timestamptz", "'now'")
      let types = ("int2[]", "'{1}'")
      let claim = try await plan(
        HeldStore.claim(types: [1], limit: 500, now: .now, until: .now),
        planned: .inIndexOrder,
        [time, time, types, ("int8", "500"), time, time, types, ("timestamptz", "'tomorrow'")],
        isGeneric: isGeneric,
        isRun: true,
        client
      )
      let reads = claim.reads(of: "held")
      #expect(Set(reads.compactMap(\.index)) == ["held_due", "held_pkey"], "\(claim)")
      #expect(reads.allSatisfy { $0.index != nil }, "\(claim)")
      // Three or four rows each, read to find the people, to lock and to change.
      #expect(reads.reduce(0) { $0 + $1.rowsRead } < 500 + 2 * 500 * 5, "\(claim)")
      let others = try await plan(
        HeldStore.unknownTypes([1], now: .now),
        planned: .inIndexOrder,
        [time, types, time],
        isGeneric: isGeneric,
        client
      )
      #expect(others.reads(of: "held").allSatisfy { $0.index == "held_due" }, "\(others)")
      let unknown = try await plan(
        HeldStore.putOff([1], now: .now),
        planned: .inIndexOrder,
        [time, types, time, ("timestamptz", "'tomorrow'")],
        isGeneric: isGeneric,
        client
      )
      #expect(unknown.reads(of: "held").allSatisfy { $0.index == "held_due" || $0.index == "held_pkey" }, "\(unknown)")
    }
  }

  @Test(arguments: [true, false])
  func `at a million rows the statements of a re-evaluation only probe primary keys`(isGeneric: Bool) async throws {
    try await TestDatabase.with(Self.filled) { client in
      let ids = ("uuid[]", Self.heavy)
      let contents = try await plan(
        HeldStore.contents([(MillionRows.heavy, NotificationID(MillionRows.heavy.uuid))]),
        [ids, ids],
        isGeneric: isGeneric,
        client
      )
      #expect(!contents.reads(of: "notifications").isEmpty)
      #expect(contents.reads(of: "notifications").allSatisfy { $0.usesPrimaryKey }, "\(contents)")
      #expect(contents.reads(of: "inbox").allSatisfy { $0.usesPrimaryKey }, "\(contents)")
      let (codes, time) = (("int2[]", "'{2}'"), ("timestamptz", "'now'"))
      let times = ("timestamptz[]", "'{now}'")
      let entries = Self.claim.entries
      let moves = entries.map { HeldStore.Move(entry: $0, due: .now, reason: .paused, composedIn: nil) }
      for (query, parameters) in [
        (HeldStore.lock(Self.claim), [ids, ids, codes, time]),
        (HeldStore.finish(Self.claim), [ids, ids, codes, time]),
        (HeldStore.move(moves, of: Self.claim), [ids, ids, codes, times, times, codes, ids, time]),
        (
          HeldStore.windows([Self.key], now: .now),
          [ids, codes, codes, ("text[]", "'{a}'"), ("int2", "3"), time]
        ),
      ] {
        let plan = try await plan(query, parameters, isGeneric: isGeneric, client)
        #expect(!plan.reads(of: "held").isEmpty)
        #expect(plan.reads(of: "held").allSatisfy { $0.index == "held_pkey" }, "\(plan)")
      }
    }
  }

  @Test(arguments: [true, false])
  func `a throttle reads as many uses as it allows, however many there are`(isGeneric: Bool) async throws {
    try await TestDatabase.with(Self.used) { client in
      let candidate = HeldStore.ThrottleCandidate(
        user: MillionRows.heavy,
        notification: NotificationID(MillionRows.heavy.uuid),
        type: 1,
        key: "",
        throttle: Throttle(atMost: 3, per: 3_600, key: nil, then: .hold)
      )
      let (ids, time) = (("uuid[]", Self.heavy), ("timestamptz", "'now'"))
      let plan = try await plan(
        HeldStore.count([candidate], now: .now),
        [ids, ids, ("int2[]", "'{1}'"), ("text[]", "'{\"\"}'"), ("int4[]", "'{3}'"), ("float8[]", "'{3600}'"), time],
        isGeneric: isGeneric,
        isRun: true,
        client
      )
      let reads = plan.reads(of: "throttle_uses")
      #expect(Set(reads.map(\.index)) == ["throttle_uses_key", "throttle_uses_pkey"], "\(plan)")
      #expect(reads.reduce(0) { $0 + $1.rowsRead } <= 4, "\(plan)")
    }
  }

  /// The second may be larger than the first: PostgreSQL uses index pages that one vacuum has emptied again after the next.
  @Test func `table and index are no larger after the fourth wave than after the second`() async throws {
    try await TestDatabase.with { client in
      let store = HeldStore(client: client)
      _ = try await client.query("ALTER TABLE held SET (autovacuum_enabled = false)")
      var sizes: [[Int]] = []
      let now = Date.now
      for wave in 0..<4 {
        _ = try await client.query(
          """
          INSERT INTO held (user_id, notification_id, channel, due_at, reason, type)
          SELECT md5((n % 20000)::text)::uuid, md5(\(String(wave)) || n)::uuid, 2,
            \(now + Double(wave) * 86_400)::timestamptz + n % 60 * interval '1 second', 1, 1
          FROM generate_series(1, 40000) AS n
          """
        )
        let due = now + Double(wave) * 86_400 + 60
        var claim: HeldClaim
        repeat {
          claim = try await store.claim(types: [1], limit: 2_000, now: due, until: due + 60)
          try await store.finish(claim)
        } while !claim.entries.isEmpty
        // What autovacuum does by these settings: there are far more dead rows than its threshold.
        try await client.withConnection(hasDeadlines: false) { try await $0.script("VACUUM held") }
        let row = try #require(
          try await client.query(
            "SELECT pg_relation_size('held'), pg_relation_size('held_due'), pg_relation_size('held_pkey')"
          ).first
        )
        sizes.append([try row.get(0), try row.get(1), try row.get(2)])
      }
      #expect(try await client.value("SELECT count(*) FROM held", as: Int.self) == 0)
      for (last, first) in zip(sizes[3], sizes[1]) { #expect(last <= first + first / 20, "\(sizes)") }
    }
  }
}
