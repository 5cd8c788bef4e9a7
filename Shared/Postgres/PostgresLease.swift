import CPostgreSQL

/// A connection that belongs to one borrower until the scope ends.
final class PostgresLease: Sendable {
  private let connection: PostgresConnection
  private let hasDeadlines: Bool
  private var access: ConnectionAccess { .borrowed(ObjectIdentifier(self)) }

  /// Takes a connection that the pool has set apart. Whoever chose it before that and is late has to choose again.
  init(_ connection: PostgresConnection, hasDeadlines: Bool) {
    self.connection = connection
    self.hasDeadlines = hasDeadlines
    connection.restrict(to: access)
  }

  /// After this the borrower's handles answer `.closed`.
  func end() {
    connection.restrict(to: .cleaning)
  }

  func perform(_ body: PostgresRequest.Body) async throws(PostgresError) -> PostgresAnswer {
    let request = PostgresRequest(body, access: access, hasDeadline: hasDeadlines)
    try request.validate()
    return await connection.perform(request)
  }

  /// For what ends a scope: even a cancelled task has to do it.
  func performUncancellably(_ sql: String) async throws(PostgresError) {
    let request = PostgresRequest(.query(SQLQuery(unescaped: sql)), access: access, hasDeadline: hasDeadlines)
    _ = try await connection.performUncancellably(request).results()
  }

  /// Ends the transaction that `body` did not bring to its end, without waiting for a statement that still runs (its
  /// caller was cancelled): then the connection goes, and the server rolls back.
  func rollback() async {
    guard await !connection.isBusy else { return await connection.cancelAndClose() }
    guard await connection.transactionStatus != PQTRANS_IDLE else { return }
    do {
      try await performUncancellably("ROLLBACK")
    } catch {
      // It only fails when the connection is gone, or it would not be open again for anybody.
      await connection.close()
    }
  }

  var isTransactionFailed: Bool {
    get async { await connection.transactionStatus == PQTRANS_INERROR }
  }
}
