import Foundation
import NotificationModel
import Postgres
import TestSupport
import Testing

@testable import NotificationStore

/// What the planner makes of the hot statements at a million rows.
@Suite struct PlanTests {
  private static let manyDevices = DatabaseContents("many_devices") { client in
    try await client.fill(
      "devices",
      """
      INSERT INTO devices (user_id, id, token, platform, active)
      SELECT \(MillionRows.heavy), gen_random_uuid(), n::text, 2, n % 100000 = 0 FROM generate_series(1, 300000) AS n
      """
    )
  }
  private static let everyone = DatabaseContents("everyone") { client in
    try await client.fill(
      "users",
      "INSERT INTO users (user_id) SELECT gen_random_uuid() FROM generate_series(1, 1000000)"
    )
  }

  @Test(arguments: [true, false])
  func `at a million rows the hot statements only probe primary keys`(isGeneric: Bool) async throws {
    try await TestDatabase.with(MillionRows.contents) { client in
      try await expectListUsesPrimaryKeys(isGeneric: isGeneric, client)
      try await expectCountUsesPrimaryKey(isGeneric: isGeneric, client)
      try await expectStoreUsesPrimaryKeys(isGeneric: isGeneric, client)
      try await expectDecisionsUsePrimaryKeys(isGeneric: isGeneric, client)
      try await expectChangesReadAPage(isGeneric: isGeneric, client)
      try await expectHistoryUsesPrimaryKeys(isGeneric: isGeneric, client)
      let page = try await InboxStore(client: client).page(of: MillionRows.heavy, filter: .init(), offset: 0, limit: 20)
      #expect(page.items.count == 20)
      #expect(page.matching == 5_000)
      #expect(page.items.map(\.id) == page.items.map(\.id).sorted().reversed())
    }
  }

  @Test(arguments: [true, false])
  func `routing reads a user's active devices, however many were deactivated`(isGeneric: Bool) async throws {
    try await TestDatabase.with(Self.manyDevices) { client in
      let plan = try await QueryPlan.of(
        RecipientStore.activeDevices(of: [MillionRows.heavy]),
        types: ["uuid[]"],
        arguments: ["ARRAY['\(MillionRows.heavy)'::uuid]"],
        isGeneric: isGeneric,
        isRun: true,
        client
      )
      let reads = plan.reads(of: "devices")
      #expect(reads.map(\.index) == ["devices_active"], "\(plan)")
      #expect(reads.map(\.rowsRead) == [3], "\(plan)")
    }
  }

  @Test(arguments: [true, false])
  func `everyone is read a page at a time along the primary key`(isGeneric: Bool) async throws {
    try await TestDatabase.with(Self.everyone) { client in
      let groups = GroupStore(client: client)
      for after in [nil, try await groups.everyone(limit: 500_000).last] {
        let plan = try await QueryPlan.of(
          GroupStore.everyone(after: after, limit: 10_001),
          planned: .alongIndexes,
          types: after == nil ? ["int8"] : ["uuid", "int8"],
          arguments: (after.map { ["'\($0)'"] } ?? []) + ["10001"],
          isGeneric: isGeneric,
          isRun: true,
          client
        )
        let reads = plan.reads(of: "users")
        #expect(reads.map(\.index) == ["users_pkey"], "\(plan)")
        #expect(reads.map(\.rowsRead) == [10_001], "\(plan)")
      }
    }
  }

  private func expectListUsesPrimaryKeys(isGeneric: Bool, _ client: PostgresClient) async throws {
    let heavy = "'\(MillionRows.heavy)'"
    let last = "'ffffffff-ffff-ffff-ffff-ffffffffffff'"
    let lists = [("NULL", "false", "0"), ("NULL", "true", "0"), ("'{12}'", "false", "0"), ("'{12,13}'", "true", "0")]
    // Knowing how few are archived, PostgreSQL would rather sort them; the driver's plans do not know.
    let archived = isGeneric ? [("'{12,13}'", "true", "18")] : []
    for (types, unread, place) in lists + archived {
      let plan = try await QueryPlan.of(
        InboxStore.items(of: MillionRows.heavy, filter: .init(), offset: 0, limit: 21),
        types: ["uuid", "int2", "uuid", "uuid", "int2[]", "int2[]", "bool", "int8", "int8"],
        arguments: [heavy, place, "NULL", last, types, types, unread, "0", "21"],
        isGeneric: isGeneric,
        client
      )
      let reads = plan.reads(of: "notifications")
      #expect(!reads.isEmpty)
      #expect(reads.allSatisfy { $0.usesPrimaryKey }, "\(plan)")
      #expect(!plan.nodes.contains { $0.type.contains("Sort") }, "\(plan)")
    }
  }

  private func expectCountUsesPrimaryKey(isGeneric: Bool, _ client: PostgresClient) async throws {
    let plan = try await QueryPlan.of(
      InboxStore.counts(of: MillionRows.heavy),
      types: ["uuid"],
      arguments: ["'\(MillionRows.heavy)'"],
      isGeneric: isGeneric,
      client
    )
    #expect(plan.nodes.map(\.relation) == ["inbox"])
    #expect(plan.nodes.allSatisfy { $0.usesPrimaryKey }, "\(plan)")
  }

  private func expectStoreUsesPrimaryKeys(isGeneric: Bool, _ client: PostgresClient) async throws {
    let plan = try await QueryPlan.of(
      NotificationStore.insert([Sample.notification(Sample.user())], [try Sample.content()]),
      planned: .alongIndexes,
      types: [
        "int2[]", "text[]", "text[]", "jsonb[]", "text[]", "text[]", "timestamptz[]", "timestamptz[]", "uuid[]",
        "uuid[]",
        "uuid[]", "int4[]", "int2[]", "int2[]", "int2[]", "jsonb[]", "uuid[]", "uuid[]", "text[]", "int4[]", "uuid[]",
      ],
      arguments: [
        "'{10}'", "'{Title}'", "'{Body}'", "'{null}'", "'{null}'", "'{null}'", "'{now}'", "'{tomorrow}'",
        "'{\(MillionRows.heavy)}'", "'{\(MillionRows.heavy)}'", "'{\(MillionRows.heavy)}'", "'{1}'", "'{0}'", "'{0}'",
        "'{0}'", "'{}'", "'{}'", "'{}'", "'{shop}'", "'{20000}'", "ARRAY[belfry_uuid_at(now())]",
      ],
      isGeneric: isGeneric,
      client
    )
    for table in ["notifications", "inbox", "erased_users"] {
      #expect(!plan.reads(of: table).isEmpty)
      #expect(plan.reads(of: table).allSatisfy { $0.usesPrimaryKey }, "\(plan)")
    }
  }

  /// In an inbox of 5,000, a tenth of it late.
  private func expectDecisionsUsePrimaryKeys(isGeneric: Bool, _ client: PostgresClient) async throws {
    let heavy = "'{\(MillionRows.heavy)}'"
    let notification = Sample.notification(Sample.user())
    let former = try await QueryPlan.of(
      NotificationStore.former([notification]),
      planned: .alongIndexes,
      types: ["uuid[]", "uuid[]"],
      arguments: [heavy, heavy],
      isGeneric: isGeneric,
      client
    )
    #expect(!former.reads(of: "notifications").isEmpty)
    #expect(former.reads(of: "notifications").allSatisfy { $0.usesPrimaryKey }, "\(former)")
    let change = DecisionChange(id: notification.id, userID: notification.userID, from: .deliver, to: .deliver)
    let changed = try await QueryPlan.of(
      NotificationStore.change(.push, [change]),
      planned: .alongIndexes,
      types: ["text", "text", "uuid[]", "uuid[]", "int2[]", "int2[]", "jsonb[]", "int2"],
      arguments: ["'2'", "'2'", heavy, heavy, "'{0}'", "'{4}'", "'{}'", "2"],
      isGeneric: isGeneric,
      client
    )
    for table in ["notifications", "deliveries"] {
      #expect(!changed.reads(of: table).isEmpty)
      #expect(changed.reads(of: table).allSatisfy { $0.usesPrimaryKey }, "\(changed)")
    }
  }

  private func expectChangesReadAPage(isGeneric: Bool, _ client: PostgresClient) async throws {
    let heavy = "'\(MillionRows.heavy)'"
    let none = "'00000000-0000-0000-0000-000000000000'"
    for (seq, limit) in [(0, 2), (1_234, 2), (1_234, 101), (4_990, 101), (5_000, 101)] {
      let (since, count) = ("\(seq)", "\(limit)")
      let plan = try await QueryPlan.of(
        InboxStore.newcomers(of: MillionRows.heavy, after: 0, limit: 51),
        planned: .alongIndexes,
        types: ["int8", "int8", "uuid", "uuid", "int8", "uuid", "int8", "uuid", "uuid", "int8", "int8"],
        arguments: [count, since, heavy, heavy, since, heavy, since, none, heavy, since, count],
        isGeneric: isGeneric,
        isRun: true,
        client
      )
      for table in ["notifications", "inbox"] {
        #expect(!plan.reads(of: table).isEmpty)
        #expect(!plan.reads(of: table).contains { $0.type == "Seq Scan" }, "\(plan)")
      }
      // A page of each kind, what lies between two that the index knows (some of which are late), and each week's first row.
      let most = 2 * min(limit, 5_000 - seq) + 72 + 2 * 10
      #expect(plan.reads(of: "notifications").reduce(0) { $0 + $1.rowsRead } <= most, "\(plan)")
    }
  }

  private func expectHistoryUsesPrimaryKeys(isGeneric: Bool, _ client: PostgresClient) async throws {
    let heavy = "'\(MillionRows.heavy)'"
    let id = Sample.notification(Sample.user()).id
    let statements: [(SQLQuery, types: [String], arguments: [String], most: Int)] = [
      (
        HistoryStore.notification(id, of: MillionRows.heavy), ["uuid", "uuid"], [heavy, "belfry_uuid_at(now())"], 1
      ),
      // A page, and a row of each week.
      (
        HistoryStore.notifications(of: MillionRows.heavy, before: nil, limit: 11), ["uuid", "uuid", "int8"],
        [heavy, "'ffffffff-ffff-ffff-ffff-ffffffffffff'", "11"], 11 + 10
      ),
      (
        HistoryStore.deliveries(from: id, to: id, of: MillionRows.heavy), ["uuid", "uuid", "uuid"],
        [heavy, "belfry_uuid_at(now() - interval '1 hour')", "belfry_uuid_at(now())"], 1
      ),
    ]
    for statement in statements {
      let plan = try await QueryPlan.of(
        statement.0,
        planned: .alongIndexes,
        types: statement.types,
        arguments: statement.arguments,
        isGeneric: isGeneric,
        isRun: true,
        client
      )
      let reads = plan.reads(of: "notifications") + plan.reads(of: "deliveries")
      #expect(!reads.isEmpty)
      #expect(!reads.contains { $0.type == "Seq Scan" }, "\(plan)")
      #expect(reads.reduce(0) { $0 + $1.rowsRead } <= statement.most, "\(plan)")
    }
  }
}
