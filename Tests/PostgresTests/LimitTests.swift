import Foundation
import Postgres
import TestSupport
import Testing

extension PostgresTests {
  @Suite struct LimitTests {
    @Test func `a cancelled caller is answered at once and the others are unaffected`() async throws {
      try await withClient { watcher in
        try await withClient { client in
          let slow = Task { _ = try await client.query("SELECT 'slow one', pg_sleep(1)") }
          try await eventually("the slow statement runs") {
            try await watcher.activity(like: "SELECT 'slow one'%") == 1
          }
          let behind = Task { try await client.value("SELECT 2", as: Int.self) }
          let start = ContinuousClock.now
          slow.cancel()
          #expect(await postgresError { try await slow.value }?.code == .cancelled)
          #expect(start.duration(to: .now) < .milliseconds(900))
          #expect(try await behind.value == 2)
          #expect(try await client.value("SELECT 3", as: Int.self) == 3)
        }
      }
    }

    @Test func `a task cancelled beforehand sends nothing`() async throws {
      try await withClient { client in
        _ = try await client.query("CREATE TEMPORARY TABLE untouched (id int)")
        let task = Task {
          withUnsafeCurrentTask { $0?.cancel() }
          _ = try await client.query("INSERT INTO untouched VALUES (1)")
        }
        #expect(await postgresError { try await task.value }?.code == .cancelled)
        #expect(try await client.value("SELECT count(*) FROM untouched", as: Int.self) == 0)
      }
    }

    @Test func `a cancelled transaction returns at once and is rolled back`() async throws {
      try await withClient(connections: 2) { client in
        _ = try await client.query("DROP TABLE IF EXISTS abandoned")
        _ = try await client.query("CREATE TABLE abandoned (id int)")
        let task = Task {
          try await client.withTransaction { transaction in
            _ = try await transaction.query("INSERT INTO abandoned VALUES (1)")
            _ = try await transaction.query("SELECT 'abandoned', pg_sleep(20)")
          }
        }
        try await eventually("the transaction sleeps") { try await client.activity(like: "SELECT 'abandoned'%") == 1 }
        task.cancel()
        let start = ContinuousClock.now
        #expect(await postgresError { try await task.value }?.code == .cancelled)
        #expect(start.duration(to: .now) < .seconds(5))
        try await eventually("the statement is stopped on the server") {
          try await client.activity(like: "SELECT 'abandoned'%") == 0
        }
        #expect(try await client.value("SELECT count(*) FROM abandoned", as: Int.self) == 0)
        try await client.withTransaction { _ = try await $0.query("SELECT 1") }
      }
    }

    @Test func `callers above the bound are turned away, and served again later`() async throws {
      try await withClient { watcher in
        try await withClient(maximumWaiting: 10) { client in
          let slow = Task { _ = try await client.query("SELECT 'filler', pg_sleep(0.5)") }
          try await eventually("the statement runs") { try await watcher.activity(like: "SELECT 'filler'%") == 1 }
          let codes = await withTaskGroup(of: PostgresError.Code?.self) { group in
            for number in 0..<50 {
              group.addTask { await postgresError { _ = try await client.query("SELECT \(number)") }?.code }
            }
            return await group.reduce(into: []) { $0.append($1) }
          }
          #expect(codes.allSatisfy { $0 == nil || $0 == .overloaded })
          // Choosing and submitting are two steps: a few more than ten may slip in.
          #expect((9...20).contains(codes.count { $0 == nil }))
          try await slow.value
          try await client.expectWorks()
        }
      }
    }

    @Test func `a slow statement times out on the server and spoils only itself`() async throws {
      try await withClient(queryTimeout: .milliseconds(300)) { client in
        async let slow = postgresError { _ = try await client.query("SELECT pg_sleep(20)") }
        async let behind: Int = client.value("SELECT 1")
        let error = try #require(await slow)
        #expect(error.code == .timeout)
        #expect(error.isTransient)
        #expect(try await behind == 1)
      }
    }

    @Test func `when the server freezes, who waited long enough times out and the connection is replaced`() async throws
    {
      try await withClient { watcher in
        try await withClient(queryTimeout: .milliseconds(300)) { client in
          let pid: Int = try await client.value("SELECT pg_backend_pid()")
          kill(pid_t(pid), SIGSTOP)
          defer { kill(pid_t(pid), SIGCONT) }
          let errors = await withTaskGroup(of: PostgresError?.self) { group in
            for number in 0..<10 {
              group.addTask { await postgresError { _ = try await client.query("SELECT \(number)") } }
            }
            return await group.reduce(into: []) { $0.append($1) }
          }
          #expect(errors.count == 10)
          #expect(errors.allSatisfy { $0?.isTransient == true })
          #expect(errors.contains { $0?.code == .timeout })
          // A new connection has as long as a statement: on a busy machine one may be given up.
          try await eventually("another connection answers") {
            do {
              return try await client.value("SELECT pg_backend_pid()", as: Int.self) != pid
            } catch let error as PostgresError where error.isTransient {
              return false
            }
          }
        }
        _ = try await watcher.query("SELECT 1")
      }
    }
  }
}
