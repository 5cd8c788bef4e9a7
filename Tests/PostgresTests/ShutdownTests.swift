import LocalStack
import Postgres
import ServiceLifecycle
import TestSupport
import Testing

extension PostgresTests {
  @Suite struct ShutdownTests {
    @Test func `graceful shutdown answers who waits, turns away who comes, and closes the connections`() async throws {
      try await withClient { watcher in
        let configuration = PostgresConfiguration(
          url: try testServer().url,
          connections: 3,
          applicationName: "belfry-shutdown"
        )
        let client = PostgresClient(configuration: configuration, logger: .quiet)
        let group = ServiceGroup(services: [client], gracefulShutdownSignals: [], logger: .quiet)
        let running = Task { try await group.run() }
        try await eventually("the client is ready") { client.isReady }

        let slow = Task {
          try await client.value("SELECT 7 FROM (SELECT 'draining', pg_sleep(0.5)) AS s", as: Int.self)
        }
        let transaction = Task {
          try await client.withTransaction { transaction in
            _ = try await transaction.query("SELECT 'transaction draining', pg_sleep(0.3)")
            return try await transaction.query("SELECT 8")[0].get(0, as: Int.self)
          }
        }
        try await eventually("both are in flight") { try await watcher.activity(like: "%draining%") == 2 }
        await group.triggerGracefulShutdown()
        try await eventually("newcomers are turned away") {
          await postgresError { _ = try await client.query("SELECT 1") }?.code == .closed
        }
        #expect(!client.isReady)
        #expect(try await slow.value == 7)
        #expect(try await transaction.value == 8)
        try await running.value
        try await eventually("the server sees no connection of ours") {
          try await watcher.value(
            "SELECT count(*) = 0 FROM pg_stat_activity WHERE application_name = 'belfry-shutdown'"
          )
        }
      }
    }

    @Test func `cancelling run answers everybody with a transient error`() async throws {
      try await withClient { watcher in
        let client = PostgresClient(
          configuration: PostgresConfiguration(url: try testServer().url, connections: 1),
          logger: .quiet
        )
        let running = Task { try await client.run() }
        let slow = Task { _ = try await client.query("SELECT 'cut off', pg_sleep(2)") }
        try await eventually("it is in flight") { try await watcher.activity(like: "SELECT 'cut off'%") == 1 }
        running.cancel()
        let error = await postgresError { try await slow.value }
        #expect(error?.code == .connectionLost)
        try await running.value
        #expect(await postgresError { _ = try await client.query("SELECT 1") }?.code == .closed)
      }
    }

    @Test func `shutdown does not wait for a server that is not there`() async throws {
      let client = PostgresClient(
        configuration: PostgresConfiguration(url: "postgresql://127.0.0.1:1/none"),
        logger: .quiet
      )
      let group = ServiceGroup(services: [client], gracefulShutdownSignals: [], logger: .quiet)
      let running = Task { try await group.run() }
      let waiting = Task { _ = try await client.query("SELECT 1") }
      await group.triggerGracefulShutdown()
      try await running.value
      #expect(await postgresError { try await waiting.value }?.code == .closed)
    }
  }
}
