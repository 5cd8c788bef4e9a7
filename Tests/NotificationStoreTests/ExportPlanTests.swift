import Foundation
import NotificationModel
import Postgres
import TestSupport
import Testing

@testable import NotificationStore

/// What an export reads of large tables: pages, and of nobody else.
@Suite struct ExportPlanTests {
  private static let user = ("uuid", "'\(MillionRows.heavy)'")
  private static let id = ("uuid", "'\(UUID.beforeAll)'")
  private static let none = ("text", "''")
  private static let zero = ("int8", "0")
  private static let limit = ("int8", "500")

  /// Parameters of each part's statement, as the driver has them.
  private static let parameters: [String: [(type: String, value: String)]] = [
    "users": [user],
    "suppressions": [user, user, none, ("int2", "0"), limit],
    "soft_bounces": [user, user, none, none, limit],
    "preferences": [user, zero, limit],
    "category_preferences": [user, none, limit],
    "mutes": [user, none, none, limit],
    "group_members": [user, none, limit],
    "devices": [user, id, limit],
    "topic_subscriptions": [user, none, id, limit],
    "inbox": [user],
    "notifications": [user, id, limit],
    "inbox_changes": [user, zero, limit],
    "snoozes": [user, id, limit],
    "engagement": [user, id, none, limit],
    "deliveries": [user, id, id, zero, none, limit],
    "held": [user, id, zero, limit],
    "throttle_uses": [user, id, limit],
    "rule_states": [user, none, none, limit],
    "presence": [user, none, limit],
    "schedule_users": [user, id, limit],
    "erased_users": [user, limit],
    "audit": [("text", "'\(MillionRows.heavy)'"), zero, limit],
  ]

  /// Beside the notifications a delivery of each of the user's, and some hundred thousand groups and entries of which ten are
  /// the user's.
  private static let filled = DatabaseContents("exported", on: MillionRows.contents) { client in
    try await client.fill(
      "deliveries",
      """
      INSERT INTO deliveries (user_id, notification_id, channel, target, outcome, attempts)
      SELECT user_id, id, 2, 'device', 1, 1 FROM notifications WHERE user_id = \(MillionRows.heavy) OR seq % 10 = 0
      """
    )
    try await client.fill(
      "group_members",
      """
      INSERT INTO group_members (group_id, user_id)
      SELECT 'g' || n, CASE WHEN n % 30000 = 0 THEN \(MillionRows.heavy)::uuid ELSE gen_random_uuid() END
      FROM generate_series(1, 300000) AS n
      """
    )
    try await client.fill(
      "audit",
      """
      INSERT INTO audit (actor, action, subject)
      SELECT 'ops', 'a', CASE WHEN n % 30000 = 0 THEN \(MillionRows.heavy.description) ELSE gen_random_uuid()::text END
      FROM generate_series(1, 300000) AS n
      """
    )
  }

  @Test func `each page is found by an index, and costs a page`() async throws {
    try await TestDatabase.with(Self.filled) { client in
      for isGeneric in [true, false] {
        for part in ExportStore.parts {
          let parameters = try #require(Self.parameters[part.table], "\(part.table)")
          let plan = try await QueryPlan.of(
            try part.page(MillionRows.heavy, nil, part.perPage),
            planned: .alongIndexes,
            types: parameters.map(\.type),
            arguments: parameters.map(\.value),
            isGeneric: isGeneric,
            isRun: true,
            client
          )
          let reads = plan.reads(of: part.table)
          #expect(!reads.isEmpty && !reads.contains { $0.type == "Seq Scan" }, "\(part.table): \(plan)")
          let rows = reads.reduce(0) { $0 + $1.rowsRead }
          // Of partitions that follow each other each may read one row ahead.
          #expect(rows <= 520, "\(part.table) reads \(rows): \(plan)")
          if ["group_members", "audit"].contains(part.table) { #expect(rows <= 20, "\(plan)") }
        }
      }
    }
  }
}
