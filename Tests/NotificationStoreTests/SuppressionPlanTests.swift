import Foundation
import NotificationModel
import Postgres
import TestSupport
import Testing

@testable import NotificationStore

/// What the planner makes of suppressions, at 200,000 of them.
struct SuppressionPlanTests {
  private static let user = Sample.user()

  private static let filled = DatabaseContents("suppressions") { client in
    try await client.fill(
      "suppressions",
      """
      INSERT INTO suppressions (address, reason, since, source, last_at, user_id)
      SELECT 'user' || n || '@example.org', CASE WHEN n % 50 = 0 THEN 3 ELSE 1 END, now() - n * interval '1 s', 'smtp', now(),
        CASE WHEN n = 7 THEN \(user) WHEN n % 2 = 0 THEN gen_random_uuid() END
      FROM generate_series(1, 200000) AS n
      """
    )
    try await client.fill(
      "users",
      """
      INSERT INTO users (user_id, email)
      SELECT CASE WHEN n = 7 THEN \(user) ELSE gen_random_uuid() END, 'user' || n || '@EXAMPLE.org'
      FROM generate_series(1, 200000) AS n
      """
    )
    try await client.fill(
      "soft_bounces",
      """
      INSERT INTO soft_bounces (address, occurrence, at, code, user_id)
      SELECT 'user' || n || '@example.org', n::text, now() - n * interval '1 s', '5.2.1',
        CASE WHEN n = 7 THEN \(user) ELSE gen_random_uuid() END
      FROM generate_series(1, 200000) AS n
      """
    )
  }

  @Test(arguments: [true, false])
  func `each statement is an index probe, and a page reads hardly more than it answers`(isGeneric: Bool) async throws {
    try await TestDatabase.with(Self.filled) { client in
      let user = ("uuid", "'\(Self.user)'")
      let address = ("text", "'user9@example.org'")
      let first = [("timestamptz", "'infinity'"), ("text", "''")]
      let statements: [(SQLQuery, PlannerHints?, [(String, String)], table: String, most: Int)] = [
        (
          RecipientStore.profiles(of: [Self.user]), nil, [("uuid[]", "ARRAY['\(Self.user)'::uuid]")], "suppressions", 1
        ),
        (SuppressionStore.of(Self.user), .alongIndexes, [user], "suppressions", 1),
        (
          SuppressionStore.against([]), .alongIndexes,
          [
            ("uuid[]", "ARRAY['\(Self.user)'::uuid]"), ("text[]", "ARRAY['user9@example.org']"),
            ("int2[]", "ARRAY[10::int2]"),
            ("text[]", "ARRAY['news']"),
          ] + [(String, String)](repeating: ("int8", "8"), count: 4), "suppressions", 1
        ),
        (
          SuppressionStore.all(after: .first, limit: 21), .inIndexOrder,
          first + [("int2", "32767"), ("int8", "21")], "suppressions", 21
        ),
        (
          SuppressionStore.of(.complaint, after: .first, limit: 21), .inIndexOrder,
          [("int2", "3")] + first + [("int8", "21")], "suppressions", 21
        ),
        (
          SuppressionStore.of("a", nil, after: .first, limit: 21), .alongIndexes,
          [address, ("int2", "NULL")] + first + [("int2", "32767"), ("int8", "21")], "suppressions", 1
        ),
        (SuppressionStore.removing("a"), nil, [address], "suppressions", 1),
        (SuppressionStore.forgetting("a"), nil, [address], "soft_bounces", 1),
        (ErasureStore.lockAddress(of: Self.user), .alongIndexes, [user], "users", 1),
        (ErasureStore.claimAddresses(of: Self.user)[0], .alongIndexes, [user], "suppressions", 1),
        (ErasureStore.claimAddresses(of: Self.user)[0], .alongIndexes, [user], "users", 2),
        (ErasureStore.leaveAddresses(of: Self.user)[0], .alongIndexes, [user], "suppressions", 1),
        (ErasureStore.leaveAddresses(of: Self.user)[0], .alongIndexes, [user], "users", 1),
        (ErasureStore.anonymiseAddresses(of: Self.user), .alongIndexes, [user, user], "users", 2),
        (ErasureStore.delete(Self.user, from: "suppressions"), .alongIndexes, [user], "suppressions", 1),
        (ErasureStore.delete(Self.user, from: "soft_bounces"), .alongIndexes, [user], "soft_bounces", 1),
      ]
      for (statement, hints, parameters, table, most) in statements {
        let plan = try await QueryPlan.of(
          statement,
          planned: hints,
          types: parameters.map(\.0),
          arguments: parameters.map(\.1),
          isGeneric: isGeneric,
          isRun: !statement.sql.hasPrefix("DELETE") && !statement.sql.hasPrefix("UPDATE"),
          client
        )
        let reads = plan.reads(of: table)
        #expect(!reads.isEmpty && reads.allSatisfy { $0.type != "Seq Scan" }, "\(plan)")
        #expect(reads.reduce(0) { $0 + $1.rowsRead } <= most, "\(plan)")
      }
    }
  }
}
