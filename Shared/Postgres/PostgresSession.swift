/// A connection of one's own, for what belongs to a session: advisory locks, settings, scripts. Valid within the scope of
/// `withConnection`; afterwards `.closed`.
public struct PostgresSession: Sendable {
  let lease: PostgresLease

  /// Runs one statement in its own implicit transaction.
  public func query(_ query: SQLQuery) async throws(PostgresError) -> PostgresResult {
    try await lease.perform(.query(query)).result()
  }

  /// Runs several statements in one transaction and one round trip: all of them take effect, or none.
  public func transaction(_ queries: [SQLQuery]) async throws(PostgresError) -> [PostgresResult] {
    try await lease.perform(.segment(queries)).results()
  }

  /// Runs trusted SQL of several statements, separated by semicolons, and drops their results.
  ///
  /// They form one transaction, unless the script has transaction commands of its own.
  public func script(_ sql: String) async throws(PostgresError) {
    _ = try await lease.perform(.script(sql)).results()
  }

  /// BEGIN, `body`, COMMIT; ROLLBACK if `body` throws. Not to be nested.
  public func withTransaction<T>(_ body: (PostgresTransaction) async throws -> T) async throws -> T {
    do {
      _ = try await query("BEGIN")
      let value = try await body(PostgresTransaction(lease: lease))
      if await lease.isTransactionFailed {
        // COMMIT would answer ROLLBACK without an error.
        throw PostgresError(.server(sqlState: "25P02"), "a statement failed, and its error was ignored")
      }
      try await lease.performUncancellably("COMMIT")
      return value
    } catch {
      await lease.rollback()
      throw error
    }
  }
}
