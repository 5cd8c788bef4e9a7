import Foundation
import LocalStack
import Logging
import Testing

/// Starts a private server before the first test of a suite, and stops and removes it after the last.
struct PostgresServerTrait: SuiteTrait, TestScoping {
  @TaskLocal static var server: PostgresServer?

  func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let directory = "\(NSTemporaryDirectory())/belfry-postgres-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: directory) }  // left-overs do no harm
    let server = try await PostgresServer.start(directory: directory, isDurable: false, logger: .quiet)
    do {
      try await Self.$server.withValue(server) { try await function() }
      await server.stop()
    } catch {
      await server.stop()
      throw error
    }
  }
}

extension Trait where Self == PostgresServerTrait {
  static var postgresServer: Self { Self() }
}

extension Logger {
  /// Tests provoke the warnings that they check otherwise.
  static var quiet: Logger {
    var logger = Logger(label: "belfry.tests")
    logger.logLevel = .critical
    return logger
  }
}
