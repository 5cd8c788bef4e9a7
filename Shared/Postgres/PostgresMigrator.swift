public import Logging

/// Brings a database to the newest schema.
///
/// Migrations are append-only: what has been applied is recorded with its checksum in `schema_migrations`, and a file that
/// was changed, removed from the middle or inserted before applied ones is refused. Any number of migrators may run at the
/// same time: an advisory lock lets one work, the others then find nothing to do.
public enum PostgresMigrator {
  /// "belfrymi" as a number: any would do that nobody else takes.
  private static let lockKey: Int64 = 0x6265_6c66_7279_6d69
  /// How long a statement waits for a table in somebody else's hands, e.g. a dump's: all who come after it wait as long. Then it is
  /// tried again.
  private static let lockWait: Duration = .seconds(3)
  /// In which all others get their turn.
  private static let pause: Duration = .seconds(2)

  /// Applies what is missing, in the order given, each in one transaction, and returns the names of those it applied.
  ///
  /// Throws `.migration`, naming the file, if one is refused or fails: that one is rolled back, those before it stay. Other
  /// errors tell that the server could not be reached or went away.
  @discardableResult
  public static func apply(
    _ migrations: [Migration],
    with client: PostgresClient,
    logger: Logger
  ) async throws(PostgresError) -> [String] {
    guard Set(migrations.map(\.name)).count == migrations.count else {
      throw PostgresError(.migration, "two migrations have the same name")
    }
    do {
      return try await client.withConnection(hasDeadlines: false) { session in
        try await lock(session)
        return try await apply(migrations, session, logger: logger)
      }
    } catch let error as PostgresError {
      throw error
    } catch {
      throw PostgresError(.cancelled)  // the pause while somebody else has the lock
    }
  }

  /// Waits until no other migrator works. The lock goes with the session.
  private static func lock(_ session: PostgresSession) async throws {
    // Asking again, not waiting in the server: so the wait ends when the task is cancelled.
    while !(try await session.query("SELECT pg_try_advisory_lock(\(lockKey)) AS locked")[0].get("locked", as: Bool.self))
    {
      try await Task.sleep(for: .milliseconds(100))
    }
  }

  private static func apply(
    _ migrations: [Migration],
    _ session: PostgresSession,
    logger: Logger
  ) async throws -> [String] {
    _ = try await session.query(
      """
      CREATE TABLE IF NOT EXISTS schema_migrations (
        name text PRIMARY KEY,
        position integer NOT NULL UNIQUE,
        checksum bytea NOT NULL,
        applied_at timestamptz NOT NULL DEFAULT now()
      )
      """
    )
    let applied = try await check(migrations, session)
    var names: [String] = []
    for (position, migration) in migrations.enumerated().dropFirst(applied) {
      do {
        try await apply(migration, at: position, session, logger: logger)
      } catch let error as PostgresError where !error.isTransient && error.code != .cancelled {
        // The server's words about our own SQL: without them nobody could mend it.
        logger.error("a migration failed: \(error.debugDescription)", metadata: ["migration": "\(migration.name)"])
        throw error.at(migration.name, as: .migration)
      }
      logger.info("applied a migration", metadata: ["migration": "\(migration.name)"])
      names.append(migration.name)
    }
    return names
  }

  /// As often as it takes until nobody has one of its tables for long.
  private static func apply(
    _ migration: Migration,
    at position: Int,
    _ session: PostgresSession,
    logger: Logger
  ) async throws {
    while true {
      do {
        return try await session.withTransaction { transaction in
          try await transaction.script("SET LOCAL lock_timeout = \(lockWait.components.seconds * 1_000)")
          try await transaction.script(migration.sql)
          _ = try await transaction.query(
            """
            INSERT INTO schema_migrations (name, position, checksum)
            VALUES (\(migration.name), \(Int32(position)), sha256(convert_to(\(migration.sql), 'UTF8')))
            """
          )
        }
      } catch let error as PostgresError where error.code == .server(sqlState: "55P03") {
        logger.warning(
          "a migration waits for a table that is in use, and is tried again",
          metadata: ["migration": "\(migration.name)"]
        )
        try await Task.sleep(for: pause)
      }
    }
  }

  /// How many of the migrations are applied already. Those of a newer version of the program, beyond the last of ours, are
  /// accepted: it may be running beside us.
  private static func check(_ migrations: [Migration], _ session: PostgresSession) async throws -> Int {
    let rows = try await session.query(
      """
      SELECT applied.name, applied.checksum = sha256(convert_to(given.sql, 'UTF8')) AS matches
      FROM schema_migrations AS applied
      LEFT JOIN unnest(\(migrations.map(\.name)), \(migrations.map(\.sql))) AS given (name, sql) USING (name)
      ORDER BY applied.position
      """
    )
    for (row, migration) in zip(rows, migrations) {
      let name: String = try row.get("name")
      guard name == migration.name else {
        throw PostgresError(
          .migration,
          "\(migration.name): \(name) was applied in its place; migrations are only appended"
        )
      }
      guard try row.get("matches", as: Bool?.self) == true else {
        throw PostgresError(.migration, "\(name): changed since it was applied; write a new migration instead")
      }
    }
    return Swift.min(rows.count, migrations.count)
  }
}
