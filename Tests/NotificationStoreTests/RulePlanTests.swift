import Foundation
import NotificationModel
import Postgres
import Rules
import TestSupport
import Testing
import WallClock

@testable import NotificationStore

/// What the planner makes of the rules' statements at a million states of 400,000 people in 40 zones.
struct RulePlanTests {
  private static let user = "'\(MillionRows.heavy)'::uuid"
  private static let key = RuleStateKey(rule: "r1", user: MillionRows.heavy.uuid, key: "")

  private static let filled = DatabaseContents("rule_states") { client in
    try await client.fill(
      "rule_states",
      """
      INSERT INTO rule_states (user_id, rule, key, state, timer_at, day, disposable_from)
      SELECT md5((n % 400000)::text)::uuid, 'r' || n % 5, 'k' || n / 400000, '{"v":1}',
        CASE WHEN n % 3 = 0 THEN '2027-01-01'::timestamptz + n * interval '1 second' END,
        CASE WHEN n % 5 = 4 THEN 20000 + n % 300 END, CASE WHEN n % 2 = 0 THEN '2027-06-01'::timestamptz END
      FROM generate_series(1, 1000000) AS n
      """
    )
    try await client.fill(
      "users",
      """
      INSERT INTO users (user_id, timezone)
      SELECT md5(n::text)::uuid, CASE WHEN n % 5 > 0 THEN 'Zone/' || n % 40 END FROM generate_series(1, 400000) AS n
      """
    )
  }

  @Test(arguments: [true, false]) func `at a million states each statement reads what it needs by an index`(
    isGeneric: Bool
  ) async throws {
    try await TestDatabase.with(Self.filled) { client in
      func plan(_ query: SQLQuery, _ types: [String], _ arguments: [String]) async throws -> QueryPlan {
        try await QueryPlan.of(
          query,
          planned: .inNestedLoops,
          types: types,
          arguments: arguments,
          isGeneric: isGeneric,
          isRun: true,
          client
        )
      }
      let keys = ["ARRAY[\(Self.user)]", "ARRAY['r1']", "ARRAY['']"]
      let rows = RuleStore.Rows([Self.key], [Self.key: RuleState()])
      let columns = ["uuid[]", "text[]", "text[]", "text[]", "timestamptz[]", "int4[]", "timestamptz[]"]
      let values = keys + ["ARRAY['{}']", "ARRAY[now()]", "ARRAY[1]", "ARRAY[now()]"]
      let byKey = [
        try await plan(RuleStore.lock([Self.key]), ["uuid[]", "text[]", "text[]"], keys),
        // Bound in the order of the text: the two booleans come first.
        try await plan(
          RuleStore.update(rows, settling: true),
          ["bool", "bool"] + columns,
          ["true", "true"] + values
        ),
        try await plan(
          RuleStore.postpone([Self.key: Date.now], isSettled: true),
          ["uuid[]", "text[]", "text[]", "timestamptz[]"],
          keys + ["ARRAY[now()]"]
        ),
      ]
      for plan in byKey {
        #expect(plan.reads(of: "rule_states").map(\.index) == ["rule_states_pkey"], "\(plan)")
      }
      let timers = try await plan(
        RuleStore.claim(now: .now, limit: 500),
        ["timestamptz", "int8"],
        ["'2027-06-01'", "500"]
      )
      #expect(timers.reads(of: "rule_states").map(\.index) == ["rule_states_timers"], "\(timers)")
      #expect(timers.reads(of: "rule_states").map(\.rowsRead) == [500], "\(timers)")
      #expect(!timers.nodes.contains { $0.type == "Sort" }, "\(timers)")
      let absent = try await plan(
        RuleStore.absent("r4", lastDay: LocalDate(dayNumber: 20_004), zones: ["Zone/4"], after: nil, limit: 500),
        ["text", "int4", "uuid", "text", "text[]", "int8"],
        ["'r4'", "20004", "'00000000-0000-0000-0000-000000000000'", "''", "ARRAY['Zone/4']", "500"]
      )
      #expect(absent.reads(of: "rule_states").map(\.index) == ["rule_states_days"], "\(absent)")
      #expect(absent.reads(of: "users").allSatisfy { $0.index == "users_pkey" }, "\(absent)")
      #expect(!absent.nodes.contains { $0.type == "Sort" }, "\(absent)")
      let zones = try await plan(RuleStore.zonesInUse, [], [])
      #expect(zones.reads(of: "users").allSatisfy { $0.index == "users_timezone" }, "\(zones)")
      #expect(zones.reads(of: "users").map(\.rowsRead).reduce(0, +) <= 42, "\(zones)")
      let disposal = try await plan(RuleStore.disposal, [], [])
      #expect(disposal.reads(of: "rule_states").map(\.index).contains("rule_states_disposable"), "\(disposal)")
      #expect(!disposal.nodes.contains { $0.type == "Seq Scan" }, "\(disposal)")
    }
  }
}
