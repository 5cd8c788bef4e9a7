import LocalStack
import Postgres
import TestSupport
import Testing

/// Gives the tests of a suite a PostgreSQL server of their own.
struct PostgresServerTrait: SuiteTrait, TestScoping {
  @TaskLocal static var server: PostgresServer?

  func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let server = try await PostgresServer.start(
      directory: try TestDirectory.forServer("postgresql"),
      installation: TestedServers.current.postgres,
      isDurable: false,
      logger: .quiet
    )
    do {
      try await Self.$server.withValue(server) {
        let version: String = try await withClient { try await $0.value("SHOW server_version") }
        print("on PostgreSQL \(version)")
        try await function()
      }
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }
}

extension Trait where Self == PostgresServerTrait {
  static var postgresServer: Self { Self() }
}
