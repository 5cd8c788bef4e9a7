import NotificationModel
import Postgres
import TestSupport
import Testing

@testable import NotificationStore

/// For how many people a default counts.
struct UndecidedPeopleTests {
  private static func catalogue(_ channels: String, _ others: String = "") throws -> Catalogue {
    let more = (0..<30).map { ", { name: C\($0) }" }.joined()
    return try Catalogue(
      overrides: """
        version: 1
        defaults: { channels: { inApp: true }, priority: normal, timeToLiveDays: 7, title: T, body: B }
        categories: [{ name: Household, channels: { \(channels) } }\(more)]
        types:
        - { code: 900, name: DinnerIsReady, category: Household }
        - { code: 901, name: GuestWrote, category: Household }
        \(others)
        """
    )
  }

  /// Both types of the category flip by mail.
  private func flips() throws -> [CatalogueDifference.DefaultFlip] {
    let flips = CatalogueDifference(
      from: try Self.catalogue("inApp: true"),
      to: try Self.catalogue("inApp: true, email: true")
    ).flips
    #expect(flips.map(\.types) == [[900, 901]] && flips.map(\.channel) == [.email])
    return flips
  }

  private func people(_ client: PostgresClient) async throws -> [UserID] {
    let users = Sample.users(6)
    for user in users { _ = try await client.query("INSERT INTO users (user_id) VALUES (\(user))") }
    let (email, push): (Int64, Int64) = (8, 4)
    let rows: [SQLQuery] = [
      // Chose the channel for the category, as this release and as those before write it.
      """
      INSERT INTO category_preferences (user_id, category, email, chosen_channels, enabled_channels)
      VALUES (\(users[0]), 'Household', false, \(email), 0)
      """,
      "INSERT INTO category_preferences (user_id, category, email) VALUES (\(users[1]), 'Household', true)",
      // Another category, another channel.
      "INSERT INTO category_preferences (user_id, category, email) VALUES (\(users[2]), 'Garden', true)",
      "INSERT INTO category_preferences (user_id, category, push) VALUES (\(users[2]), 'Household', true)",
      // Both types, as before.
      """
      INSERT INTO preferences (user_id, type, in_app, push, email)
      VALUES (\(users[3]), 900, true, true, true), (\(users[3]), 901, true, true, false)
      """,
      // One of the two, and of the other another channel.
      """
      INSERT INTO preferences (user_id, type, in_app, push, email, chosen, chosen_channels, enabled_channels)
      VALUES (\(users[4]), 900, true, true, true, 4, \(email), \(email)), (\(users[4]), 901, true, true, true, 2, \(push), 0)
      """,
    ]
    for row in rows { _ = try await client.query(row) }
    return users
  }

  @Test func `who chose for the category, or for each type that flips, is not counted`() async throws {
    try await TestDatabase.with { client in
      let undecided = UndecidedPeople(client: client)
      #expect(try await undecided.count(try flips()) == [.init(count: 0, people: 0, isAll: true)])
      _ = try await people(client)
      #expect(try await undecided.count(try flips()) == [.init(count: 3, people: 6, isAll: true)])
      #expect(try await undecided.count([]) == [])
    }
  }

  @Test func `each flip has its count, in their order, and no more are counted than may be`() async throws {
    try await TestDatabase.with { client in
      _ = try await people(client)
      let (old, new) = (try Self.catalogue("inApp: true"), try Self.catalogue("push: true, email: true"))
      let difference = CatalogueDifference(from: old, to: new)
      #expect(difference.flips.map(\.channel) == [.inApp, .push, .email])
      let counts = try await UndecidedPeople(client: client).count(difference.flips)
      #expect(counts.map(\.count) == [5, 4, 3])
      let many = (0..<30).map { "- { code: \(1_000 + $0), name: T\($0), category: C\($0) }" }.joined(separator: "\n")
      let flipped = many.replacing("category:", with: "channels: { push: true }, category:")
      let flips = CatalogueDifference(
        from: try Self.catalogue("inApp: true", many),
        to: try Self.catalogue("inApp: true", flipped)
      ).flips
      #expect(flips.count == 60)
      #expect(try await UndecidedPeople(client: client).count(flips).count == UndecidedPeople.maximumFlips)
    }
  }

  @Test func `of more people than are looked at, it is said that there are more`() async throws {
    try await TestDatabase.with { client in
      _ = try await people(client)
      let row = try #require(try await client.query(UndecidedPeople.counts(try flips(), people: 4)).first)
      #expect(try row.get("people") as Int == 5)
      #expect(try (0...4).contains(row.get("undecided") as Int))
    }
  }

  /// However many people there are, and however much they chose, no more is read than what so many of them chose.
  @Test func `the people who are looked at are found along the indexes`() async throws {
    try await TestDatabase.with { client in
      for insertion in [
        "INSERT INTO users (user_id) SELECT gen_random_uuid() FROM generate_series(1, 50000)",
        """
        INSERT INTO preferences (user_id, type, in_app, push, email)
        SELECT user_id, t, true, true, true FROM users, generate_series(899, 901) t
        """,
        "INSERT INTO category_preferences (user_id, category, push) SELECT user_id, 'Household', true FROM users",
      ] {
        _ = try await client.query(SQLQuery(unescaped: insertion))
      }
      for table in ["users", "preferences", "category_preferences"] {
        _ = try await client.query(SQLQuery(unescaped: "ANALYZE \(table)"))
      }
      for isGeneric in [true, false] {
        let plan = try await QueryPlan.of(
          UndecidedPeople.counts(try flips(), people: 1_000),
          planned: .alongIndexes,
          types: ["int8", "int8", "int8[]", "text[]", "int8[]", "int8[]", "int2[]"],
          arguments: ["1001", "1000", "'{0}'", "'{Household}'", "'{8}'", "'{0,0}'", "'{900,901}'"],
          isGeneric: isGeneric,
          isRun: true,
          client
        )
        for (table, most) in [("users", 1_001), ("preferences", 2_000), ("category_preferences", 1_000)] {
          let reads = plan.reads(of: table)
          #expect(!reads.isEmpty && reads.allSatisfy { $0.index == "\(table)_pkey" }, "\(plan)")
          #expect(reads.reduce(0) { $0 + $1.rowsRead } <= most, "\(plan)")
        }
      }
    }
  }
}
