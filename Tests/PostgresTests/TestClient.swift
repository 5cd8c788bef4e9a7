import LocalStack
import Postgres
import TestSupport
import Testing

/// The suite's server.
func testServer() throws -> PostgresServer {
  try #require(PostgresServerTrait.server)
}

/// Runs `body` with a client of the suite's server; the client is closed when it returns.
func withClient<T: Sendable>(
  connections: Int = 1,
  maximumWaiting: Int = 1_024,
  connectTimeout: Duration = .seconds(10),
  queryTimeout: Duration = .seconds(30),
  url: String? = nil,
  _ body: (PostgresClient) async throws -> T
) async throws -> T {
  let configuration = PostgresConfiguration(
    url: try url ?? testServer().url,
    connections: connections,
    maximumWaiting: maximumWaiting,
    connectTimeout: connectTimeout,
    queryTimeout: queryTimeout,
    applicationName: "belfry-tests"
  )
  let client = PostgresClient(configuration: configuration, logger: .quiet)
  return try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask { try await client.run() }
    let value = try await body(client)
    group.cancelAll()
    try await group.waitForAll()
    return value
  }
}

/// The error that `body` throws, if it is one of ours.
func postgresError(_ body: () async throws -> Void) async -> PostgresError? {
  do {
    try await body()
    return nil
  } catch {
    return error as? PostgresError
  }
}

extension PostgresClient {
  /// The one value of a one-row, one-column result.
  func value<T: PostgresDecodable>(_ query: SQLQuery, as type: T.Type = T.self) async throws -> T {
    try #require(try await self.query(query).first).get(0)
  }

  /// Checks that the client is of use.
  func expectWorks() async throws {
    #expect(try await value("SELECT 1", as: Int.self) == 1)
  }

  /// Statements of the tests' clients that wait or run on the server just now.
  func activity(like pattern: String) async throws -> Int {
    try await value(
      """
      SELECT count(*) FROM pg_stat_activity
      WHERE state = 'active' AND query LIKE \(pattern) AND pid <> pg_backend_pid()
      """
    )
  }
}
