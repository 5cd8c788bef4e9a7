import ConsoleCommands
import Logging
import Postgres

/// Scopes a database client to one command.
enum Database {
  /// Runs the body with a connected client, which is closed afterwards.
  static func withClient<Result: Sendable>(
    _ configuration: PostgresConfiguration,
    _ body: @Sendable @escaping (PostgresClient, Logger) async throws -> Result
  ) async throws -> Result {
    let logger = Logger.quiet
    let client = PostgresClient(configuration: named(configuration), logger: logger)
    return try await withThrowingTaskGroup(of: Result?.self) { group in
      group.addTask {
        try await client.run()
        return nil
      }
      group.addTask { try await body(client, logger) }
      for try await case let result? in group {
        group.cancelAll()
        return result
      }
      throw CancellationError()
    }
  }

  private static func named(_ configuration: PostgresConfiguration) -> PostgresConfiguration {
    var configuration = configuration
    configuration.applicationName = "belfry"
    return configuration
  }
}
