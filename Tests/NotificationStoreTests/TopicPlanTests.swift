import Foundation
import NotificationModel
import Postgres
import TestSupport
import Testing

@testable import NotificationStore

/// What the planner makes of topics, at some hundred thousand subscriptions.
struct TopicPlanTests {
  private static let request = RequestID(now: .now)
  private static let device = DeviceID(UUID())
  private static let user = Sample.user()

  private static let filled = DatabaseContents("topics") { client in
    try await client.fill(
      "devices",
      """
      INSERT INTO devices (user_id, id, token, platform)
      SELECT CASE WHEN n = 7 THEN \(user) ELSE gen_random_uuid() END, CASE WHEN n = 7 THEN \(device) ELSE gen_random_uuid() END,
        'token ' || n, 2 FROM generate_series(1, 200000) AS n
      """
    )
    try await client.fill(
      "topic_registrations",
      """
      INSERT INTO topic_registrations (address, topic, owner_id, is_wanted, due_at)
      SELECT d.token, 'news', d.user_id, true, CASE WHEN right(d.token, 3) = '777' THEN now() END FROM devices d
      """
    )
    try await client.fill(
      "topic_deliveries",
      """
      INSERT INTO topic_deliveries (request_id, audience, target, type, routed_at, outcome, finished_at)
      SELECT gen_random_uuid(), 'topic', 'news', 12, now(), CASE WHEN n % 50 = 0 THEN 2 ELSE 1 END,
        now() - n * interval '1 s' FROM generate_series(1, 200000) AS n
      """
    )
  }

  @Test(arguments: [true, false])
  func `topics are found by an index, whatever there is`(isGeneric: Bool) async throws {
    try await TestDatabase.with(Self.filled) { client in
      let (id, device, user) = ("'\(Self.request)'", "'\(Self.device)'", "'\(Self.user)'")
      let cursor = [
        ("timestamptz", "'infinity'"), ("uuid", "'00000000-0000-0000-0000-000000000000'"),
        ("timestamptz", "'infinity'"),
        ("uuid", "'ffffffff-ffff-ffff-ffff-ffffffffffff'"), ("uuid", "'ffffffff-ffff-ffff-ffff-ffffffffffff'"),
        ("int2", "32767"), ("text", "''"),
      ]
      let statements: [(SQLQuery, PlannerHints?, [(String, String)], table: String, most: Int)] = [
        (TopicDeliveryStore.delivery(of: Self.request), nil, [("uuid", id)], "topic_deliveries", 1),
        (
          TopicDeliveryStore.finals([Self.request]), nil, [("int2", "3"), ("uuid[]", "'{\(Self.request)}'")],
          "topic_deliveries", 1
        ),
        (
          DeliverySearch.topics([.rejected], since: nil, after: .first, limit: 21), .inIndexOrderWithoutJIT,
          [("int2[]", "'{2}'"), ("timestamptz", "'-infinity'")] + cursor + [("int8", "21"), ("int8", "21")],
          "topic_deliveries", 21
        ),
        (
          DeliverySearch.topic(of: Self.request, .init(), after: .first), .inIndexOrderWithoutJIT,
          [("uuid", id), ("int2", "NULL"), ("timestamptz", "'-infinity'")] + cursor, "topic_deliveries", 1
        ),
        (TopicSubscriptionStore.owner(of: Self.device), nil, [("uuid", device)], "devices", 1),
        (
          TopicRegistrationStore.claiming(UUID(), limit: 100, lease: .seconds(60)), .alongIndexes,
          [("int8", "100"), ("uuid", id), ("float8", "60"), ("float8", "60")], "topic_registrations", 200
        ),
        (
          TopicSubscriptionStore.insertion(Self.user, Self.device, "news", asked: .now, limit: 9), nil,
          [
            ("uuid", user), ("text", "'news'"), ("uuid", device), ("uuid", user), ("timestamptz", "now()"),
            ("bool", "false"), ("uuid", user), ("uuid", device), ("int8", "9"), ("uuid", user),
          ], "devices", 20
        ),
      ]
      for (statement, hints, parameters, table, most) in statements {
        let plan = try await QueryPlan.of(
          statement,
          planned: hints,
          types: parameters.map(\.0),
          arguments: parameters.map(\.1),
          isGeneric: isGeneric,
          isRun: true,
          client
        )
        let reads = plan.reads(of: table)
        #expect(!reads.isEmpty && reads.allSatisfy { $0.index != nil }, "\(plan)")
        #expect(reads.reduce(0) { $0 + $1.rowsRead } <= most, "\(plan)")
      }
    }
  }
}
