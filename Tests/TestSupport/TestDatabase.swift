public import Postgres

/// A database of a test's own, copied from a migrated template on the server of the process, and dropped afterwards.
public enum TestDatabase {
  /// Runs `body` with a client of a new database with Belfry's schema.
  ///
  /// - Parameters:
  ///   - contents: What it holds.
  ///   - connections: What the client opens. The server has 200.
  public static func with<T: Sendable>(
    _ contents: DatabaseContents = .migrated,
    connections: Int = 2,
    _ body: (PostgresClient) async throws -> T
  ) async throws -> T {
    try await withURL(contents) { url in try await withClient(of: url, connections: connections, body) }
  }

  /// Runs `body` with the URL of a new database, for what opens connections itself.
  public static func withURL<T: Sendable>(
    _ contents: DatabaseContents = .migrated,
    _ body: (String) async throws -> T
  ) async throws -> T {
    let database = try await TestServer.shared.makeDatabase(contents)
    do {
      let value = try await body(database.url)
      try await TestServer.shared.drop(database)
      return value
    } catch {
      try await TestServer.shared.drop(database)
      throw error
    }
  }

  /// Runs `body` with a client, which is closed when it returns.
  public static func withClient<T: Sendable>(
    of url: String,
    connections: Int = 2,
    _ body: (PostgresClient) async throws -> T
  ) async throws -> T {
    let configuration = PostgresConfiguration(
      url: url,
      connections: connections,
      connectTimeout: .seconds(30),
      queryTimeout: .seconds(120),
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
}
