import Foundation
import NotificationModel
import Postgres
import TestSupport
import Testing
import WallClock

@testable import NotificationStore

/// What the planner makes of searching and counting deliveries, at a million of them.
struct DeliveryPlanTests {
  /// Of each statement the parameters that say where a page begins: with the newest.
  private static let first = [
    ("timestamptz", "'infinity'"), ("uuid", "'ffffffff-ffff-ffff-ffff-ffffffffffff'"),
    ("uuid", "'ffffffff-ffff-ffff-ffff-ffffffffffff'"), ("int2", "32767"), ("text", "''"),
  ]

  /// An outcome of each notification; every fiftieth failed. All notifications are of one request.
  private static let filled = DatabaseContents("deliveries", on: MillionRows.contents) { client in
    try await client.fill(
      "deliveries",
      """
      INSERT INTO deliveries (user_id, notification_id, channel, target, outcome, attempts, finished_at, type)
      SELECT user_id, id, 2, 'device', CASE WHEN seq % 50 = 0 THEN 2 + seq % 3 ELSE 1 END, 1, created_at, type
      FROM notifications
      """
    )
  }

  private func plan(
    _ query: SQLQuery,
    planned hints: PlannerHints,
    _ parameters: [(type: String, value: String)],
    _ isGeneric: Bool,
    isRun: Bool = true,
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

  @Test(arguments: [true, false])
  func `a search reads what an index leads to, and never a partition`(isGeneric: Bool) async throws {
    try await TestDatabase.with(Self.filled) { client in
      try await expectFailuresReadAPage(isGeneric, client)
      try await expectUserReadsTheirOwn(isGeneric, client)
      try await expectRequestIsBounded(isGeneric, client)
      try await expectRecordProbes(isGeneric, client)
      try await expectMailsAreProbedFor(isGeneric, client)
    }
  }

  private func expectFailuresReadAPage(_ isGeneric: Bool, _ client: PostgresClient) async throws {
    let statement = DeliverySearch.failed([.rejected], since: nil, after: .first, limit: 21)
    let amid = [("timestamptz", "now() - interval '20 days'")] + Self.first.dropFirst()
    for (outcomes, since, cursor) in [
      ("'{2}'", "'-infinity'", Self.first), ("'{2}'", "now() - interval '10 days'", Self.first),
      ("'{2}'", "'-infinity'", amid), ("'{2,3,4}'", "now() - interval '10 days'", Self.first),
    ] {
      let parameters = [("int2[]", outcomes), ("timestamptz", since)] + cursor + [("int8", "21"), ("int8", "21")]
      // Of each outcome a page, and the first of each week.
      let most = outcomes.split(separator: ",").count * (21 + 12)
      let plan = try await plan(statement, planned: .inIndexOrderWithoutJIT, parameters, isGeneric, client)
      let reads = plan.reads(of: "deliveries")
      #expect(!reads.isEmpty)
      #expect(reads.allSatisfy { $0.index?.contains("outcome") == true }, "\(plan)")
      #expect(reads.reduce(0) { $0 + $1.rowsRead } <= most, "\(plan)")
      #expect(plan.reads(of: "notifications").allSatisfy { $0.usesPrimaryKey }, "\(plan)")
      #expect(plan.reads(of: "notifications").reduce(0) { $0 + $1.rowsRead } <= most, "\(plan)")
    }
  }

  private func expectUserReadsTheirOwn(_ isGeneric: Bool, _ client: PostgresClient) async throws {
    let user = MillionRows.heavy
    let statement = DeliverySearch.of(user, .init(), after: .first, limit: 21)
    let parameters =
      [("uuid", "'\(user)'"), ("int2", "NULL"), ("timestamptz", "'-infinity'")] + Self.first
      + [("uuid", "NULL"), ("int8", "21")]
    let plan = try await plan(statement, planned: .byIndexScansWithoutJIT, parameters, isGeneric, client)
    for table in ["deliveries", "notifications"] {
      #expect(!plan.reads(of: table).isEmpty)
      #expect(plan.reads(of: table).allSatisfy { $0.usesPrimaryKey }, "\(plan)")
    }
    #expect(plan.reads(of: "deliveries").reduce(0) { $0 + $1.rowsRead } == 5_000, "\(plan)")
  }

  private func expectRequestIsBounded(_ isGeneric: Bool, _ client: PostgresClient) async throws {
    let request = RequestID(MillionRows.heavy.uuid)
    let counting = try await plan(
      DeliverySearch.recipients(of: request, limit: 10_001),
      planned: .byIndexScansWithoutJIT,
      [("uuid", "'\(request)'"), ("int8", "10001")],
      isGeneric,
      client
    )
    #expect(counting.reads(of: "notifications").allSatisfy { $0.index?.contains("request_id") == true }, "\(counting)")
    #expect(counting.reads(of: "notifications").reduce(0) { $0 + $1.rowsRead } == 10_001, "\(counting)")
    let statement = DeliverySearch.of(request, .init(), recipients: 10_000, after: .first, limit: 21)
    let parameters =
      [("uuid", "'\(request)'"), ("int8", "10000"), ("int2", "NULL"), ("timestamptz", "'-infinity'")] + Self.first
      + [("int8", "21")]
    let plan = try await plan(statement, planned: .byIndexScansWithoutJIT, parameters, isGeneric, client)
    #expect(plan.reads(of: "notifications").allSatisfy { $0.index?.contains("request_id") == true }, "\(plan)")
    #expect(plan.reads(of: "notifications").reduce(0) { $0 + $1.rowsRead } == 10_000, "\(plan)")
    #expect(!plan.reads(of: "deliveries").isEmpty)
    #expect(plan.reads(of: "deliveries").allSatisfy { $0.usesPrimaryKey }, "\(plan)")
  }

  /// Somebody may send bounces all day.
  private func expectMailsAreProbedFor(_ isGeneric: Bool, _ client: PostgresClient) async throws {
    for (id, provider) in [("ARRAY[belfry_uuid_at(now())]", "'{NULL}'"), ("'{NULL}'", "'{queued-as-this}'")] {
      let plan = try await plan(
        DeliveryStore.mails([]),
        planned: .byIndexScansWithoutJIT,
        [("uuid[]", id), ("uuid[]", "'{NULL}'"), ("text[]", provider)],
        isGeneric,
        client
      )
      let reads = plan.reads(of: "deliveries")
      #expect(!reads.isEmpty)
      #expect(reads.allSatisfy { !$0.usesPrimaryKey && $0.index?.contains("outcome") != true }, "\(plan)")
      #expect(reads.reduce(0) { $0 + $1.rowsRead } == 0, "\(plan)")
    }
  }

  /// Recording has no table to read but the marks of erased users.
  private func expectRecordProbes(_ isGeneric: Bool, _ client: PostgresClient) async throws {
    let parameters = [
      ("uuid[]", "'{\(MillionRows.heavy)}'"), ("uuid[]", "ARRAY[belfry_uuid_at(now())]"), ("int2[]", "'{2}'"),
      ("text[]", "'{device}'"), ("int2[]", "'{1}'"), ("text[]", "'{NULL}'"), ("text[]", "'{NULL}'"),
      ("int2[]", "'{1}'"), ("int2[]", "'{10}'"), ("timestamptz[]", "ARRAY[now()]"), ("int4[]", "'{20000}'"),
      ("uuid[]", "ARRAY[belfry_uuid_at(now())]"),
    ]
    let plan = try await plan(
      DeliveryStore.recording([], .init(of: [])),
      planned: .alongIndexes,
      parameters,
      isGeneric,
      isRun: false,
      client
    )
    #expect(plan.reads(of: "erased_users").allSatisfy { $0.usesPrimaryKey }, "\(plan)")
    for table in ["deliveries", "stats"] { #expect(plan.reads(of: table).isEmpty, "\(plan)") }
  }

  @Test(arguments: [true, false])
  func `the counts of a month are read as a range`(isGeneric: Bool) async throws {
    try await TestDatabase.with { client in
      try await client.fill(
        "stats",
        """
        INSERT INTO stats (day, type, channel, slot, sent)
        SELECT date '2026-01-01' + day, type, channel, 0, 1
        FROM generate_series(1, 800) AS day, generate_series(1, 60) AS type, generate_series(0, 3) AS channel
        """
      )
      let first = try #require(LocalDate("2026-11-01"))
      let days = first...LocalDate(dayNumber: first.dayNumber + 29)
      for grouping in StatStore.Grouping.allCases {
        let plan = try await plan(
          StatStore.sums(days, by: grouping),
          planned: .alongIndexes,
          [("int4", "\(days.lowerBound.dayNumber)"), ("int4", "\(days.upperBound.dayNumber)")],
          isGeneric,
          client
        )
        let reads = plan.reads(of: "stats")
        #expect(reads.allSatisfy { $0.type != "Seq Scan" }, "\(plan)")
        #expect(reads.reduce(0) { $0 + $1.rowsRead } == 30 * 240, "\(plan)")
      }
    }
  }
}
