import CPostgreSQL
import Synchronization

/// A connection that belongs to one borrower until the scope ends.
final class PostgresLease: Sendable {
  private let connection: PostgresConnection
  private let hasDeadlines: Bool
  private let isOver = Atomic<Bool>(false)

  init(_ connection: PostgresConnection, hasDeadlines: Bool) {
    self.connection = connection
    self.hasDeadlines = hasDeadlines
  }

  /// After this the borrower's handles answer `.closed`.
  func end() {
    isOver.store(true, ordering: .sequentiallyConsistent)
  }

  func perform(_ body: PostgresRequest.Body) async throws(PostgresError) -> PostgresAnswer {
    guard !isOver.load(ordering: .sequentiallyConsistent) else {
      throw PostgresError(.closed, "the scope of the borrowed connection has ended")
    }
    let request = PostgresRequest(body, hasDeadline: hasDeadlines)
    try request.validate()
    return await connection.perform(request)
  }

  /// For what ends a scope: even a cancelled task has to do it.
  func performUncancellably(_ sql: String) async throws(PostgresError) {
    let request = PostgresRequest(.query(SQLQuery(unescaped: sql)), hasDeadline: hasDeadlines)
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
