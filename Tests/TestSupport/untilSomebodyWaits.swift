package import Postgres
package import Testing

/// Returns when somebody waits for a lock that this session has.
///
/// The session itself asks: another connection of the client may have been given to whoever waits, and the question would wait
/// behind that.
package func untilSomebodyWaits(
  for session: PostgresSession,
  sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  try await eventually("somebody waits", sourceLocation: sourceLocation) {
    try await isAwaited { query in try await session.query(query) }
  }
}

/// Returns when somebody waits for a lock that this transaction has.
package func untilSomebodyWaits(
  for transaction: PostgresTransaction,
  sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  try await eventually("somebody waits", sourceLocation: sourceLocation) {
    try await isAwaited { query in try await transaction.query(query) }
  }
}

/// Unlike pg_stat_activity, pg_locks says at each look in a transaction what is so now.
private func isAwaited(_ ask: (SQLQuery) async throws -> PostgresResult) async throws -> Bool {
  let waiting: SQLQuery = "SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
  return try await !ask(waiting).isEmpty
}
