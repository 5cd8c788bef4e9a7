import Foundation
import Postgres
import TestSupport
import Testing

@testable import NotificationModel
@testable import NotificationStore

/// What the planner makes of the statements on requests, at 300,000 of them and one to 20,000 people.
struct RequestPlanTests {
  private static let group = RequestID(now: Date(timeIntervalSince1970: 1_800_000_000))

  @Test(arguments: [true, false])
  func `what became of a request is found by its id, and by primary keys from there`(isGeneric: Bool) async throws {
    try await TestDatabase.with(Self.filled) { client in
      let id = ("uuid", "'\(Self.group)'")
      let owner = try await plan(RequestStore.owners(of: Self.group), [id, id, id], isGeneric, client)
      expectByRequest(owner, rows: 100...100)
      let numbers = try await plan(
        RequestStore.numbers(of: Self.group, limit: 0),
        [id, ("int8", "5000")],
        isGeneric,
        client
      )
      expectByRequest(numbers, rows: 5_000...5_010)
      #expect(!numbers.reads(of: "deliveries").isEmpty)
      #expect(numbers.reads(of: "deliveries").allSatisfy { $0.usesPrimaryKey }, "\(numbers)")
      let reading = [("int8", "8000"), id, ("int8", "8000"), ("int8", "8000"), ("int8", "5000")]
      for wanted in [RequestStore.waits, RequestStore.remaining] {
        let look = RequestStore.look(for: wanted, of: Self.group, reading: 0, limit: 0)
        let plan = try await plan(look, reading, isGeneric, client)
        // Reading ends with what is wanted, or where it is bounded: never with the request.
        expectByRequest(plan, rows: 5_000...8_010)
      }
    }
  }

  @Test(arguments: [true, false])
  func `a withdrawal probes primary keys`(isGeneric: Bool) async throws {
    try await TestDatabase.with(Self.filled) { client in
      let row = try #require(
        try await client.query("SELECT user_id, id FROM notifications WHERE request_id = \(Self.group) LIMIT 1").first
      )
      let (user, id): (UserID, NotificationID) = (try row.get(0), try row.get(1))
      let keys = [("uuid[]", "'{\(user)}'"), ("uuid[]", "'{\(id)}'")]
      let code = ("int2", "14")
      for (query, parameters) in [
        (RequestStore.lockHeld([(user, id)]), keys),
        (NotificationStore.lock([(user, id)]), keys),
        (RequestStore.remove([(user, id)]), keys),
        (RequestStore.cancel([(user, id)]), [code] + keys),
        (RequestStore.takeOut([(user, id)]), keys),
      ] {
        let plan = try await plan(query, parameters, isGeneric, isRun: false, client)
        let reads = ["notifications", "held", "inbox", "inbox_changes", "snoozes"].flatMap { plan.reads(of: $0) }
        #expect(!reads.isEmpty)
        #expect(reads.allSatisfy { $0.usesPrimaryKey }, "\(plan)")
      }
    }
  }

  private func plan(
    _ query: SQLQuery,
    _ parameters: [(type: String, value: String)],
    _ isGeneric: Bool,
    isRun: Bool = true,
    _ client: PostgresClient
  ) async throws -> QueryPlan {
    try await QueryPlan.of(
      query,
      planned: .alongIndexes,
      types: parameters.map(\.type),
      arguments: parameters.map(\.value),
      isGeneric: isGeneric,
      isRun: isRun,
      client
    )
  }

  private func expectByRequest(_ plan: QueryPlan, rows: ClosedRange<Int>) {
    let reads = plan.reads(of: "notifications")
    #expect(!reads.isEmpty)
    #expect(reads.allSatisfy { $0.type != "Seq Scan" && !$0.usesPrimaryKey }, "\(plan)")
    #expect(rows.contains(reads.reduce(0) { $0 + $1.rowsRead }), "\(plan)")
  }

  private static let filled = DatabaseContents("requests") { client in
    try await client.fill(
      "notifications",
      """
      INSERT INTO notifications (user_id, id, request_id, type, title, body, in_app, push, email, seq, created_at,
        expires_at)
      SELECT md5(n::text)::uuid, (left(belfry_uuid_at(now())::text, 13) || '-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
        CASE WHEN n <= 20000 THEN \(Self.group)::uuid ELSE md5('r' || n)::uuid END, 1, 'Title', 'Body', 0,
        CASE WHEN n % 2 = 0 THEN -1 ELSE 0 END, 2, 1, now(), now()
      FROM generate_series(1, 300000) AS n
      """
    )
    try await client.fill(
      "deliveries",
      """
      INSERT INTO deliveries (user_id, notification_id, channel, target, outcome, attempts)
      SELECT user_id, id, 2, 'device', 1, 1 FROM notifications WHERE push = 0
      """
    )
    try await client.fill(
      "held",
      """
      INSERT INTO held (user_id, notification_id, channel, due_at, reason, type)
      SELECT user_id, id, 2, now(), 1, 1 FROM notifications WHERE push < 0
      """
    )
  }
}
