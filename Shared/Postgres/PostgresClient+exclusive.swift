import CPostgreSQL
import Logging
import Synchronization

extension PostgresClient {
  /// Borrows a connection and runs `body` in a transaction: COMMIT when it returns, ROLLBACK when it throws.
  ///
  /// For what cannot be written as `transaction(_:)`, because a statement depends on what another one answered. `body`
  /// should use only the transaction, not the client, and be quick: it has the connection for itself. Throws what `body`
  /// throws, or a `PostgresError`; `.connectionLost` at the end means that the commit may have happened.
  public func withTransaction<T>(_ body: (PostgresTransaction) async throws -> T) async throws -> T {
    try await withLease(hasDeadlines: true, isSessionChanged: false) { lease in
      try await PostgresSession(lease: lease).withTransaction(body)
    }
  }

  /// Borrows a connection for `body` alone. Afterwards `DISCARD ALL` puts it back as it was: settings, advisory locks,
  /// temporary tables.
  ///
  /// - Parameter hasDeadlines: Whether the query timeout applies; without it a statement may take as long as it takes.
  public func withConnection<T>(
    hasDeadlines: Bool = true,
    _ body: (PostgresSession) async throws -> T
  ) async throws -> T {
    try await withLease(hasDeadlines: hasDeadlines, isSessionChanged: true) { lease in
      let session = PostgresSession(lease: lease)
      if !hasDeadlines { _ = try await session.query("SET statement_timeout = 0") }
      return try await body(session)
    }
  }

  private func withLease<T>(
    hasDeadlines: Bool,
    isSessionChanged: Bool,
    _ body: (PostgresLease) async throws -> T
  ) async throws -> T {
    let connection = try await connection(for: .exclusive)
    let lease = PostgresLease(connection, hasDeadlines: hasDeadlines)
    do {
      let value = try await body(lease)
      await giveBack(connection, lease, isSessionChanged: isSessionChanged)
      return value
    } catch {
      await giveBack(connection, lease, isSessionChanged: isSessionChanged)
      throw error
    }
  }

  /// Leaves a clean connection behind, or none: what cannot be cleaned is closed and replaced.
  private func giveBack(_ connection: PostgresConnection, _ lease: PostgresLease, isSessionChanged: Bool) async {
    lease.end()
    if await connection.isBusy {
      // The borrower was cancelled and a statement still runs: nobody should wait for it.
      await connection.cancelAndClose()
    } else if isSessionChanged {
      await reset(connection)
    }
    if await connection.transactionStatus != PQTRANS_IDLE { await connection.close() }
    connection.restrict(to: .shared)
    let (turns, isClosing) = pool.withLock { ($0.giveBack(connection), $0.phase == .closing) }
    resume(turns)
    if isClosing { await connection.closeWhenIdle() }
  }

  private func reset(_ connection: PostgresConnection) async {
    if await connection.transactionStatus != PQTRANS_IDLE {
      _ = await connection.performUncancellably(PostgresRequest(.query("ROLLBACK"), access: .cleaning))
    }
    await connection.forgetStatements()
    let answer = await connection.performUncancellably(PostgresRequest(.script("DISCARD ALL"), access: .cleaning))
    if case .failure(let error) = answer {
      logger.warning("could not reset a connection", metadata: ["reason": "\(error)"])
      await connection.close()
    }
  }
}
