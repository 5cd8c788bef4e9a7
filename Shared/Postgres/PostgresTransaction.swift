/// An open transaction on a connection of its own. Valid within the scope of `withTransaction`; afterwards `.closed`.
public struct PostgresTransaction: Sendable {
  let lease: PostgresLease

  /// Runs one statement. After a failure the transaction can only be rolled back.
  public func query(_ query: SQLQuery) async throws(PostgresError) -> PostgresResult {
    try await lease.perform(.query(query)).result()
  }

  /// Runs several statements in one round trip; the first failure stops them.
  public func queries(_ queries: [SQLQuery]) async throws(PostgresError) -> [PostgresResult] {
    try await lease.perform(.segment(queries)).results()
  }

  /// Runs trusted SQL of several statements, separated by semicolons, and drops their results. No transaction commands.
  public func script(_ sql: String) async throws(PostgresError) {
    _ = try await lease.perform(.script(sql)).results()
  }
}
