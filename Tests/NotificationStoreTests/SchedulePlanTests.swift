import Foundation
import NotificationModel
import Postgres
import TestSupport
import Testing

@testable import NotificationStore

/// What the planner makes of the statements on schedules, at 100,000 of them and 300,000 people.
struct SchedulePlanTests {
  private let now = Date.now

  @Test(arguments: [true, false])
  func `at rest a look at the schedules reads nothing, and what is due by its index`(isGeneric: Bool) async throws {
    try await TestDatabase.with(Self.filled) { client in
      func claim(_ work: ScheduleStore.Work, _ instant: String) async throws -> [QueryPlan.Node] {
        let plan = try await QueryPlan.of(
          ScheduleStore.claim(work, limit: 10, until: now, now: now),
          types: ["timestamptz", "timestamptz", "timestamptz", "int8"],
          arguments: ["\(instant) + interval '1 min'", instant, instant, "10"],
          isGeneric: isGeneric,
          isRun: true,
          client
        )
        let reads = plan.reads(of: "schedules")
        #expect(!reads.isEmpty)
        #expect(!reads.contains { $0.type == "Seq Scan" }, "\(plan)")
        return reads
      }
      for (work, index) in [(ScheduleStore.Work.schedules, "schedules_plans"), (.sends, "schedules_sends")] {
        let rest = try await claim(work, "now()")
        #expect(rest.allSatisfy { $0.rowsRead == 0 })
        #expect(rest.contains { $0.index == index })
      }
      let due = try await claim(.schedules, "now() + interval '1 day'")
      #expect(due.reduce(0) { $0 + $1.rowsRead } <= 30)
      // With all those schedules due, none of them is read to find that no send is.
      #expect(try await claim(.sends, "now() + interval '1 day'").allSatisfy { $0.rowsRead == 0 })
    }
  }

  @Test(arguments: [true, false])
  func `keys, zones and cancellations are found by index`(isGeneric: Bool) async throws {
    try await TestDatabase.with(Self.filled) { client in
      func plan(
        _ query: SQLQuery,
        planned hints: PlannerHints? = nil,
        _ types: [String],
        _ arguments: [String]
      ) async throws -> QueryPlan {
        let plan = try await QueryPlan.of(
          query,
          planned: hints,
          types: types,
          arguments: arguments,
          isGeneric: isGeneric,
          isRun: true,
          client
        )
        for table in ["schedules", "users", "group_members", "withdrawals"] {
          #expect(!plan.reads(of: table).contains { $0.type == "Seq Scan" }, "\(plan)")
        }
        return plan
      }
      let list = try await plan(
        ScheduleStore.list(of: "", after: "", limit: 0),
        ["text", "text", "int8"],
        ["'owner-7'", "'key-5'", "20"]
      )
      #expect(list.reads(of: "schedules").map(\.rowsRead) == [20])
      let all = try await plan(
        ScheduleStore.list(after: .init(owner: "", key: ""), limit: 0),
        ["text", "text", "int8"],
        ["'owner-7'", "'key-5'", "20"]
      )
      #expect(all.reads(of: "schedules").map(\.rowsRead) == [20])
      _ = try await plan(ScheduleStore.entry("", of: ""), ["text", "text"], ["'owner-7'", "'key-5'"])
      let zones = try await plan(AudienceStore.zonesInUse, [], [])
      // As many probes as zones, not as people.
      #expect(zones.reads(of: "users").reduce(0) { $0 + $1.rowsRead } <= 420)
      let nobody = "00000000-0000-0000-0000-000000000001"
      _ = try await plan(AudienceStore.zones(ofUsers: []), ["uuid[]"], ["'{\(nobody)}'"])
      _ = try await plan(
        AudienceStore.residents(of: [], among: []),
        ["uuid[]", "text[]"],
        ["'{\(nobody)}'", "'{Zone/1}'"]
      )
      let group = try await plan(
        AudienceStore.zones(ofGroup: "", limit: 0),
        planned: .alongIndexes,
        ["text", "int8"],
        ["'large'", "1001"]
      )
      #expect(group.reads(of: "group_members").allSatisfy { $0.rowsRead <= 1_001 })
      _ = try await plan(ScheduleStore.withdrawn(among: []), ["uuid[]", "text[]"], ["'{\(nobody)}'", "'{shop}'"])
    }
  }

  /// Schedules in 400 zones that come in an hour and later.
  private static let filled = DatabaseContents("schedules") { client in
    try await client.fill(
      "schedules",
      """
      INSERT INTO schedules (id, owner, key, definition, starts_on, next_at, done_until, created_at, updated_at)
      SELECT gen_random_uuid(), 'owner-' || n % 10, 'key-' || n, '{}', now(), now() + interval '1 hour' + n * interval '1 s',
        now(), now(), now()
      FROM generate_series(1, 100000) AS n
      """
    )
    try await client.fill(
      "users",
      "INSERT INTO users (user_id, timezone) SELECT gen_random_uuid(), 'Zone/' || n % 400 FROM generate_series(1, 300000) AS n"
    )
    try await client.fill("group_members", "INSERT INTO group_members SELECT 'large', user_id FROM users")
    try await client.fill(
      "withdrawals",
      "INSERT INTO withdrawals SELECT gen_random_uuid(), 'shop', now() FROM generate_series(1, 100000)"
    )
  }
}
