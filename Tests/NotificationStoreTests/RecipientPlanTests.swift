import Foundation
import NotificationModel
import Postgres
import TestSupport
import Testing

@testable import NotificationStore

/// What the planner makes of the statements that load recipients, at 200,000 rows in each table.
struct RecipientPlanTests {
  private func fill(_ client: PostgresClient) async throws {
    _ = try await client.query(
      """
      CREATE FUNCTION plan_user(n int) RETURNS uuid LANGUAGE sql IMMUTABLE AS
        $$ SELECT ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid $$
      """
    )
    for (table, columns, values) in [
      ("users", "user_id, timezone", "plan_user(n), 'Europe/Berlin'"),
      ("preferences", "user_id, type, in_app, push, email", "plan_user(n / 5), n % 5, true, true, true"),
      ("category_preferences", "user_id, category, push", "plan_user(n / 5), 'Category ' || n % 5, true"),
      ("mutes", "user_id, entity_type, entity_id", "plan_user(n / 5), 'goal', n::text"),
    ] {
      _ = try await client.query(
        SQLQuery(unescaped: "INSERT INTO \(table) (\(columns)) SELECT \(values) FROM generate_series(1, 200000) AS n")
      )
      _ = try await client.query(SQLQuery(unescaped: "ANALYZE \(table)"))
    }
  }

  @Test func `each is an index probe for each key`() async throws {
    try await TestDatabase.with { client in
      try await fill(client)
      let entity = try #require(RelatedEntity(type: "goal", id: "7"))
      let key = try Sample.key(Sample.user(), about: entity)
      let numbers = 1...100
      func each(_ value: (Int) -> String) -> String { "'{\(numbers.map(value).joined(separator: ","))}'" }
      let ids = each { "00000000-0000-4000-8000-\(String(1_000_000_000_000 + $0).dropFirst())" }
      let statements: [(SQLQuery, String, [String], [String])] = [
        (RecipientStore.profiles(of: [key.user]), "users", ["uuid[]"], [ids]),
        (
          RecipientStore.typeChoices([key]), "preferences", ["uuid[]", "int2[]"], [ids, each { "\($0 % 5)" }]
        ),
        (
          RecipientStore.categoryChoices([key]), "category_preferences", ["uuid[]", "text[]"],
          [ids, each { "Category \($0 % 5)" }]
        ),
        (
          RecipientStore.mutes([key]), "mutes", ["uuid[]", "text[]", "text[]"],
          [ids, each { _ in "goal" }, each { "\($0 * 5)" }]
        ),
      ]
      for (statement, table, types, arguments) in statements {
        for isGeneric in [true, false] {
          let plan = try await QueryPlan.of(
            statement,
            types: types,
            arguments: arguments,
            isGeneric: isGeneric,
            isRun: true,
            client
          )
          let reads = plan.reads(of: table)
          #expect(!reads.isEmpty)
          #expect(reads.allSatisfy { $0.usesPrimaryKey }, "\(plan)")
          #expect(reads.reduce(0) { $0 + $1.rowsRead } == numbers.count, "\(plan)")
        }
      }
    }
  }
}
