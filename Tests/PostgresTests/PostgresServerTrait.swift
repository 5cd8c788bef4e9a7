import Foundation
import LocalStack
import Postgres
import TestSupport
import Testing

/// Runs all tests of a suite on a private server, then all of them again on one of the next version.
struct PostgresServerTrait: SuiteTrait, TestScoping {
  @TaskLocal static var server: PostgresServer?

  func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    for servers in TestedServers.all {
      let directory = "\(NSTemporaryDirectory())/belfry-postgres-\(UUID().uuidString)"
      defer { try? FileManager.default.removeItem(atPath: directory) }  // left-overs do no harm
      let server = try await PostgresServer.start(
        directory: directory,
        installation: servers.postgres,
        isDurable: false,
        logger: .quiet
      )
      do {
        try await Self.$server.withValue(server) {
          let version: String = try await withClient { try await $0.value("SHOW server_version") }
          print("on PostgreSQL \(version)")
          try await function()
        }
        await server.stop()
      } catch {
        await server.stop()
        throw error
      }
    }
  }
}

extension Trait where Self == PostgresServerTrait {
  static var postgresServer: Self { Self() }
}
