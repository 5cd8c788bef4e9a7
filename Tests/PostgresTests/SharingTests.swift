import Foundation
import LocalStack
import TestSupport
import Testing

@testable import Postgres

extension PostgresTests {
  /// What is shared and what is borrowed never mix.
  @Suite struct SharingTests {
    @Test func `a query whose connection was borrowed after the choice is not part of that transaction`() async throws {
      try await withClient { client in
        try await makeTable("late", client)
        let connection = try await client.connection(for: .shared)
        await #expect(throws: Refusal.self) {
          try await client.withTransaction { transaction in
            _ = try await transaction.query("SELECT 1")
            let answer = await connection.perform(PostgresRequest(.query("INSERT INTO late VALUES (1)")))
            guard case .notSent = answer else {
              Issue.record("it was carried out: \(answer)")
              throw Refusal()
            }
            throw Refusal()
          }
        }
        // Its turn comes, on this connection or another.
        _ = try await client.query("INSERT INTO late VALUES (1)")
        #expect(try await client.value("SELECT count(*) FROM late", as: Int.self) == 1)
      }
    }

    @Test(arguments: [1, 2])
    func `what is answered as done outlives other people's rollbacks`(connections: Int) async throws {
      try await withClient(connections: connections) { client in
        try await makeTable("kept", client)
        let count = 3_000
        try await withThrowingTaskGroup(of: Void.self) { group in
          for worker in 0..<8 {
            group.addTask {
              for number in 0..<count / 8 {
                _ = try await client.query("INSERT INTO kept VALUES (\(worker * count + number))")
              }
            }
          }
          for _ in 0..<4 {
            group.addTask {
              for _ in 0..<count / 10 {
                await #expect(throws: Refusal.self) {
                  try await client.withTransaction { _ in throw Refusal() }
                }
              }
            }
          }
          try await group.waitForAll()
        }
        #expect(try await client.value("SELECT count(*) FROM kept", as: Int.self) == count)
      }
    }

    @Test func `who has chosen to wait while a connection came up takes it, for nobody would wake him`() async throws {
      let configuration = PostgresConfiguration(url: try testServer().url, applicationName: "belfry-tests")
      for use in [ConnectionPool.Use.shared, .exclusive] {
        var pool = ConnectionPool(connections: 1, maximumWaiting: 8)
        guard case .wait = pool.choose(use) else {
          Issue.record("there is nothing to choose")
          return
        }
        let connection = try await PostgresConnection.open(configuration, label: "late", logger: .quiet)
        #expect(pool.opened(connection, slot: 0)?.isEmpty == true, "it found nobody waiting")
        switch pool.turn(for: use) {
        case .borrowed(let found)?: #expect(use == .exclusive && found === connection)
        case .chooseAgain?: #expect(use == .shared)
        case .failed(let error)?: Issue.record(error)
        case nil: Issue.record("it would wait until its time is up")
        }
        await connection.close()
      }
    }

    @Test func `a connection that was closed is nobody's choice, though its slot is not empty yet`() async throws {
      let configuration = PostgresConfiguration(url: try testServer().url, applicationName: "belfry-tests")
      let connection = try await PostgresConnection.open(configuration, label: "closed", logger: .quiet)
      var pool = ConnectionPool(connections: 1, maximumWaiting: 8)
      #expect(pool.opened(connection, slot: 0) != nil)
      guard case .connection = pool.choose(.shared) else {
        Issue.record("it is open")
        return
      }
      await connection.close()
      for use in [ConnectionPool.Use.shared, .exclusive] {
        guard case .wait = pool.choose(use) else {
          Issue.record("it is closed")
          return
        }
      }
      #expect(!pool.isReady)
    }

    @Test func `what a borrower left running says closed, and never lands among other people's queries`() async throws {
      try await withClient { client in
        // Set inside the closure, which has returned before it is read.
        nonisolated(unsafe) var escaped: PostgresSession?
        try await client.withConnection { escaped = $0 }
        for statement in ["BEGIN", "SET application_name = 'left'"] as [SQLQuery] {
          #expect(await postgresError { _ = try await escaped?.query(statement) }?.code == .closed)
        }
        // Each query is a transaction of its own.
        let ids = try await [
          client.value("SELECT pg_current_xact_id()::text", as: String.self),
          client.value("SELECT pg_current_xact_id()::text", as: String.self),
        ]
        #expect(Set(ids).count == 2)
      }
    }

    @Test(arguments: ["BEGIN", "  begin", "START TRANSACTION", "\nBEGIN ISOLATION LEVEL SERIALIZABLE"])
    func `nobody opens a transaction on a shared connection`(sql: String) async throws {
      try await withClient { client in
        let alone = await postgresError { _ = try await client.query(SQLQuery(unescaped: sql)) }
        #expect(alone?.code == .invalidQuery)
        let among = await postgresError { _ = try await client.transaction(["SELECT 1", SQLQuery(unescaped: sql)]) }
        #expect(among?.code == .invalidQuery)
        try await client.expectWorks()
      }
    }

    private struct Refusal: Error {}

    private func makeTable(_ name: String, _ client: PostgresClient) async throws {
      _ = try await client.query("DROP TABLE IF EXISTS \(unescaped: name)")
      _ = try await client.query("CREATE TABLE \(unescaped: name) (id int8 PRIMARY KEY)")
    }
  }
}
