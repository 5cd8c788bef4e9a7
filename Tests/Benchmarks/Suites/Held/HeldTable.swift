import Foundation
import Postgres

/// How much room `held` takes, of which the next wave finds as much as there was.
struct HeldTable {
  var table: Int
  var indexes: Int

  var megabytes: Double { Double(table + indexes) / 1_048_576 }

  static func measure(in database: PostgresClient) async throws -> HeldTable {
    guard let row = try await database.query("SELECT pg_table_size('held'), pg_indexes_size('held')").first else {
      throw BenchError("PostgreSQL does not say how large held is")
    }
    return HeldTable(table: try row.get(0), indexes: try row.get(1))
  }

  /// Waits until autovacuum has come by, and then lets it come once more: index pages that one vacuum has emptied are used
  /// again after the next, of which a day has many between two such minutes (each 5,000 rows cause one).
  ///
  /// - Parameter since: When the last row went.
  static func waitForVacuum(since end: Date, in database: PostgresClient) async throws {
    try await Patience.wait(for: "autovacuum of held", within: .seconds(600), every: .seconds(1)) {
      let query: SQLQuery = """
        SELECT n_dead_tup, coalesce(last_autovacuum > \(end), false) FROM pg_stat_user_tables WHERE relname = 'held'
        """
      guard let row = try await database.query(query).first else { return false }
      let (dead, isVacuumed) = (try row.get(0, as: Int.self), try row.get(1, as: Bool.self))
      // It leaves fewer alone. Counts come up to 10 s late.
      return dead <= 5_000 && (isVacuumed || Date.now > end + 60)
    }
    // A page that one vacuum has emptied is used again after the next, if there was any transaction in between.
    _ = try await database.query("SELECT pg_current_xact_id()")
    _ = try await database.query("VACUUM held")
  }
}
