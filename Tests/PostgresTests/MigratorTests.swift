import Foundation
import LocalStack
import Postgres
import TestSupport
import Testing

extension PostgresTests {
  @Suite struct MigratorTests {
    private let first = Migration(name: "m0001_a.sql", sql: "CREATE TABLE a (id int); INSERT INTO a VALUES (1);")
    private let second = Migration(name: "m0002_b.sql", sql: "CREATE TABLE b AS SELECT id + 1 AS id FROM a")
    private let third = Migration(name: "m0003_c.sql", sql: "DROP TABLE a;\n-- the end\n")

    @Test func `migrations are applied in order, once`() async throws {
      try await withEmptyDatabase { client in
        let applied = try await PostgresMigrator.apply([first, second], with: client, logger: .quiet)
        #expect(applied == [first.name, second.name])
        let later = try await PostgresMigrator.apply([first, second, third], with: client, logger: .quiet)
        #expect(later == [third.name])
        let never = try await PostgresMigrator.apply([first, second, third], with: client, logger: .quiet)
        #expect(never == [])
        #expect(try await client.value("SELECT id FROM b", as: Int.self) == 2)
      }
    }

    @Test func `a program older than the database finds nothing to do`() async throws {
      try await withEmptyDatabase { client in
        try await PostgresMigrator.apply([first, second], with: client, logger: .quiet)
        let applied = try await PostgresMigrator.apply([first], with: client, logger: .quiet)
        #expect(applied == [])
      }
    }

    @Test func `a migration that was changed after it was applied is refused by name`() async throws {
      try await withEmptyDatabase { client in
        try await PostgresMigrator.apply([first, second], with: client, logger: .quiet)
        let changed = Migration(name: second.name, sql: second.sql + " ")
        let error = await postgresError {
          try await PostgresMigrator.apply([first, changed, third], with: client, logger: .quiet)
        }
        #expect(error?.code == .migration)
        #expect(error?.description.contains(second.name) == true)
        #expect(try await client.value("SELECT count(*) FROM schema_migrations", as: Int.self) == 2)
      }
    }

    @Test func `a migration put before applied ones is refused by name`() async throws {
      try await withEmptyDatabase { client in
        try await PostgresMigrator.apply([first, third], with: client, logger: .quiet)
        let error = await postgresError {
          try await PostgresMigrator.apply([first, second, third], with: client, logger: .quiet)
        }
        #expect(error?.code == .migration)
        #expect(error?.description.contains(second.name) == true)
      }
    }

    @Test func `two migrations of one name are refused`() async throws {
      try await withEmptyDatabase { client in
        let error = await postgresError {
          try await PostgresMigrator.apply([first, first], with: client, logger: .quiet)
        }
        #expect(error?.code == .migration)
        _ = try await client.query("SELECT 1")
      }
    }

    @Test func `a failing migration is rolled back as a whole and named`() async throws {
      try await withEmptyDatabase { client in
        let broken = Migration(
          name: "m0002_broken.sql",
          sql: "CREATE TABLE b (id int); SELECT nonsense; CREATE TABLE c ()"
        )
        let error = await postgresError {
          try await PostgresMigrator.apply([first, broken, third], with: client, logger: .quiet)
        }
        #expect(error?.code == .migration)
        #expect(error?.description.contains(broken.name) == true)
        #expect(error?.debugDescription.contains("nonsense") == true)
        #expect(try await client.value("SELECT to_regclass('b') IS NULL", as: Bool.self))
        #expect(try await client.value("SELECT name FROM schema_migrations", as: String.self) == first.name)
        let applied = try await PostgresMigrator.apply([first, second], with: client, logger: .quiet)
        #expect(applied == [second.name])
      }
    }

    @Test func `of several migrators at the same time each migration is applied by one`() async throws {
      try await withEmptyDatabase { client in
        let slow = Migration(name: "m0002_slow.sql", sql: "SELECT pg_sleep(0.2); CREATE TABLE slow (id int)")
        let url = try testServer().url(database: try await client.value("SELECT current_database()::text"))
        let applied = try await withThrowingTaskGroup(of: [String].self) { group in
          for _ in 0..<5 {
            group.addTask {
              try await withClient(url: url) {
                try await PostgresMigrator.apply([first, slow, third], with: $0, logger: .quiet)
              }
            }
          }
          return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(applied == [first.name, slow.name, third.name])
      }
    }

    @Test func `a migration may take longer than the query timeout`() async throws {
      try await withEmptyDatabase(queryTimeout: .milliseconds(100)) { client in
        let slow = Migration(name: "m0001_slow.sql", sql: "SELECT pg_sleep(1.5)")
        let applied = try await PostgresMigrator.apply([slow], with: client, logger: .quiet)
        #expect(applied == [slow.name])
        // The connection has its timeout back.
        #expect(await postgresError { _ = try await client.query("SELECT pg_sleep(5)") }?.code == .timeout)
      }
    }

    @Test(.timeLimit(.minutes(1)))
    func `while a migration waits for a table, others go on with it`() async throws {
      try await withEmptyDatabase { client in
        let url = try testServer().url(database: try await client.value("SELECT current_database()::text"))
        try await PostgresMigrator.apply([first], with: client, logger: .quiet)
        let change = Migration(name: "m0002_change.sql", sql: "ALTER TABLE a ADD COLUMN name text")
        try await withThrowingTaskGroup(of: [String].self) { group in
          try await withClient(url: url) { dump in
            try await dump.withTransaction { transaction in
              _ = try await transaction.query("LOCK TABLE a IN ACCESS SHARE MODE")
              group.addTask {
                try await withClient(url: url) {
                  try await PostgresMigrator.apply([first, change], with: $0, logger: .quiet)
                }
              }
              try await eventually("the migration waits") { try await client.activity(like: "ALTER TABLE a %") == 1 }
              // It stands behind the migration, and the migration behind the dump, which goes on.
              #expect(try await client.value("SELECT count(*) FROM a", as: Int.self) == 1)
            }
          }
          for try await applied in group { #expect(applied == [change.name]) }
        }
        #expect(try await client.query("SELECT name FROM a").count == 1)
      }
    }

    private func withEmptyDatabase(
      queryTimeout: Duration = .seconds(30),
      _ body: (PostgresClient) async throws -> Void
    ) async throws {
      let name = "migrator_\(UUID().uuidString.prefix(8).lowercased())"
      let server = try testServer()
      try await server.createDatabase(name)
      try await withClient(queryTimeout: queryTimeout, url: server.url(database: name), body)
      try await server.dropDatabase(name)
    }
  }
}
