import Dispatch
public import Logging
public import ServiceLifecycle
import Synchronization

/// PostgreSQL for many callers over a few connections.
///
/// Queries of all callers are pipelined on shared connections: each is sent at once and answered in order, and a failing
/// one spoils only itself. `run` keeps the connections open; a lost one answers everybody who waits on it with a transient
/// error, comes back by itself, and never sends anything twice.
public final class PostgresClient: Service, Sendable {
  let configuration: PostgresConfiguration
  let logger: Logger
  let pool: Mutex<ConnectionPool>

  public init(configuration: PostgresConfiguration, logger: Logger) {
    self.configuration = configuration
    self.logger = logger
    pool = Mutex(
      ConnectionPool(connections: max(1, configuration.connections), maximumWaiting: configuration.maximumWaiting)
    )
  }

  /// Whether a query would be sent at once.
  public var isReady: Bool { pool.withLock(\.isReady) }

  /// Runs one statement, on its own, in its own implicit transaction.
  ///
  /// While no connection is up it waits up to the connect timeout. Throws `.cancelled` as soon as the task is cancelled;
  /// the statement may be carried out nevertheless.
  public func query(_ query: SQLQuery) async throws(PostgresError) -> PostgresResult {
    try await perform(PostgresRequest(.query(query))).result()
  }

  /// Runs several statements in one transaction and one round trip: all of them take effect, or none.
  public func transaction(_ queries: [SQLQuery]) async throws(PostgresError) -> [PostgresResult] {
    try await perform(PostgresRequest(.segment(queries))).results()
  }

  private func perform(_ request: PostgresRequest) async throws(PostgresError) -> PostgresAnswer {
    try request.validate()
    // What was not sent when its connection went away may go to another one, a few times.
    for _ in 0..<8 {
      let answer = try await connection(for: .shared).perform(request)
      if case .notSent = answer { continue }
      return answer
    }
    return .notSent
  }
}
