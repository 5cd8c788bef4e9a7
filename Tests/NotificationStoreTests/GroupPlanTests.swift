import Foundation
import NotificationModel
import Postgres
import TestSupport
import Testing

@testable import NotificationStore

/// What the planner makes of groups at a million members: half of them in one group, the others in families of four.
struct GroupPlanTests {
  private static let families = 125_000

  private func fill(_ client: PostgresClient) async throws {
    try await client.fill(
      "group_members",
      """
      INSERT INTO group_members (group_id, user_id)
      SELECT CASE WHEN n <= 500000 THEN 'large' ELSE 'family:' || n % \(Self.families) END, gen_random_uuid()
      FROM generate_series(1, 1000000) AS n
      """
    )
    _ = try await client.query("ANALYZE groups")
  }

  private func plan(
    _ query: SQLQuery,
    _ types: [String],
    _ arguments: [String],
    isGeneric: Bool,
    _ client: PostgresClient
  ) async throws -> QueryPlan {
    let plan = try await QueryPlan.of(
      query,
      planned: .alongIndexes,
      types: types,
      arguments: arguments,
      isGeneric: isGeneric,
      isRun: true,
      client
    )
    #expect(!plan.nodes.contains { $0.type == "Seq Scan" }, "\(plan)")
    return plan
  }

  private func rowsRead(_ plan: QueryPlan) -> Int {
    plan.reads(of: "group_members").reduce(0) { $0 + $1.rowsRead }
  }

  private func list(_ users: some Sequence<UserID>) -> String {
    "'{\(users.map(\.description).joined(separator: ","))}'"
  }

  @Test func `at a million members groups are read and changed by primary key, and lists compared by a hash table`()
    async throws
  {
    try await TestDatabase.with { client in
      try await fill(client)
      for isGeneric in [true, false] {
        try await expectPagesUsePrimaryKeys(isGeneric: isGeneric, client)
        try await expectReplacementsReadTheGroup(isGeneric: isGeneric, client)
        try await expectChangesReadTheirMembers(isGeneric: isGeneric, client)
      }
    }
  }

  /// Wherever the page is.
  private func expectPagesUsePrimaryKeys(isGeneric: Bool, _ client: PostgresClient) async throws {
    let count = try await plan(GroupStore.count(of: ""), ["text"], ["'large'"], isGeneric: isGeneric, client)
    #expect(count.reads(of: "groups").map(\.index) == ["groups_pkey"], "\(count)")
    #expect(count.reads(of: "groups").map(\.rowsRead) == [1], "\(count)")
    let begun = try await plan(GroupStore.begin(""), ["text"], ["'large'"], isGeneric: isGeneric, client)
    let going = try await plan(GroupStore.replacement(of: ""), ["text"], ["'large'"], isGeneric: isGeneric, client)
    let ended = try await plan(GroupStore.end(of: ""), ["text"], ["'large'"], isGeneric: isGeneric, client)
    for plan in [begun, going, ended] {
      #expect(plan.reads(of: "groups").map(\.index) == ["groups_pkey"], "\(plan)")
      #expect(plan.reads(of: "groups").map(\.rowsRead) == [1], "\(plan)")
    }
    for after in [nil, try await GroupStore(client: client).members(of: "large", limit: 400_000).last] {
      let page = try await plan(
        GroupStore.members(of: "", after: after, limit: 0),
        after == nil ? ["text", "int8"] : ["text", "uuid", "int8"],
        ["'large'"] + (after.map { ["'\($0)'"] } ?? []) + ["1001"],
        isGeneric: isGeneric,
        client
      )
      #expect(page.reads(of: "group_members").map(\.index) == ["group_members_pkey"], "\(page)")
      #expect(rowsRead(page) == 1_001, "\(page)")
    }
  }

  private func expectReplacementsReadTheGroup(isGeneric: Bool, _ client: PostgresClient) async throws {
    let groups = GroupStore(client: client)
    let family = try await groups.members(of: "family:7", limit: 9)
    #expect(family.count == 4)
    let next = family.dropFirst() + [Sample.user()]
    let replaced = try await plan(
      GroupStore.replacing("", members: [], asked: .now),
      ["uuid[]", "timestamptz", "text", "text"],
      [list(next), "now()", "'family:7'", "'family:7'"],
      isGeneric: isGeneric,
      client
    )
    #expect(rowsRead(replaced) == 4, "\(replaced)")
    #expect(replaced.description.contains("hashed SubPlan"), "\(replaced)")
    #expect(!replaced.nodes.contains { $0.type.contains("Join") || $0.type == "Nested Loop" }, "\(replaced)")
    #expect(try await groups.page(of: "family:7", limit: 9) == .init(count: 4, members: next.sorted()))
  }

  private func expectChangesReadTheirMembers(isGeneric: Bool, _ client: PostgresClient) async throws {
    let groups = GroupStore(client: client)
    let page = try await groups.members(of: "large", limit: 1_000)
    let removed = try await plan(
      GroupStore.removing([], from: ""),
      ["text", "uuid[]"],
      ["'large'", list(page)],
      isGeneric: isGeneric,
      client
    )
    #expect(rowsRead(removed) == 1_000, "\(removed)")
    #expect(try await groups.page(of: "large", limit: 1)?.count == 499_000)
    let added = try await plan(
      GroupStore.adding([], to: "", asked: .now),
      ["text", "uuid[]", "timestamptz"],
      ["'large'", list(page), "now()"],
      isGeneric: isGeneric,
      client
    )
    #expect(added.reads(of: "group_members").isEmpty, "\(added)")
    #expect(try await groups.page(of: "large", limit: 1)?.count == 500_000)
  }
}
