import Foundation
import LocalStack
import Postgres
import TestSupport
import Testing

extension PostgresTests {
  @Suite struct TransactionTests {
    @Test func `the statements of a transaction take effect together or not at all`() async throws {
      try await withClient { client in
        try await makeTable("atoms", client)
        let results = try await client.transaction([
          "INSERT INTO atoms VALUES (\(1))", "INSERT INTO atoms VALUES (\(2)), (\(3))", "SELECT count(*) FROM atoms",
        ])
        #expect(results.map(\.affectedRows) == [1, 2, 1])
        #expect(try results[2][0].get(0) == 3)

        let error = await postgresError {
          _ = try await client.transaction([
            "INSERT INTO atoms VALUES (\(4))", "INSERT INTO atoms VALUES (\(1))", "INSERT INTO atoms VALUES (\(5))",
          ])
        }
        #expect(error?.code == .server(sqlState: "23505"))
        #expect(error?.constraint == "atoms_pkey")
        #expect(try await client.value("SELECT count(*) FROM atoms", as: Int.self) == 3)
      }
    }

    @Test func `a transaction is one transaction on the server`() async throws {
      try await withClient { client in
        // now() is the transaction's start, and both statements see one transaction id: no COMMIT came between them.
        let results = try await client.transaction(
          Array(repeating: "SELECT pg_current_xact_id()::text AS id, now() AS began", count: 3)
        )
        #expect(try Set(results.map { try $0[0].get("id", as: String.self) }).count == 1)
      }
    }

    @Test func `a transaction is sent whole before the server has answered anything`() async throws {
      let server = try testServer()
      try await withClient { client in
        let pid: Int = try await client.value("SELECT pg_backend_pid()")
        let text = String(repeating: "x", count: 1_000)
        kill(pid_t(pid), SIGSTOP)
        defer { kill(pid_t(pid), SIGCONT) }
        async let results = client.transaction(Array(repeating: "SELECT length(\(text)) AS length", count: 5))
        try await eventually("all five statements have arrived") {
          try unreadBytes(port: server.port) > 5_000
        }
        kill(pid_t(pid), SIGCONT)
        let lengths: [Int] = try await results.map { try $0[0].get("length") }
        #expect(lengths == [1_000, 1_000, 1_000, 1_000, 1_000])
      }
    }

    @Test func `a constraint that fails at the commit fails the caller`() async throws {
      try await withClient { client in
        try await client.withConnection { session in
          try await session.script(
            """
            DROP TABLE IF EXISTS late;
            CREATE TABLE late (id int8 UNIQUE DEFERRABLE INITIALLY DEFERRED);
            INSERT INTO late VALUES (1)
            """
          )
        }
        let error = await postgresError { _ = try await client.query("INSERT INTO late VALUES (\(1))") }
        #expect(error?.code == .server(sqlState: "23505"))
        let another = await postgresError {
          _ = try await client.transaction(["INSERT INTO late VALUES (\(2))", "INSERT INTO late VALUES (\(1))"])
        }
        #expect(another?.code == .server(sqlState: "23505"))
        #expect(try await client.value("SELECT count(*) FROM late", as: Int.self) == 1)
      }
    }

    @Test func `withTransaction commits what its body did, and rolls back when the body throws`() async throws {
      struct Refusal: Error {}
      try await withClient(connections: 2) { client in
        try await makeTable("scoped", client)
        let seen: Int = try await client.withTransaction { transaction in
          _ = try await transaction.query("INSERT INTO scoped VALUES (\(1))")
          _ = try await transaction.queries(["INSERT INTO scoped VALUES (\(2))", "INSERT INTO scoped VALUES (\(3))"])
          return try await transaction.query("SELECT count(*) FROM scoped")[0].get(0)
        }
        #expect(seen == 3)
        await #expect(throws: Refusal.self) {
          try await client.withTransaction { transaction in
            _ = try await transaction.query("DELETE FROM scoped")
            throw Refusal()
          }
        }
        #expect(try await client.value("SELECT count(*) FROM scoped", as: Int.self) == 3)
      }
    }

    @Test func `a transaction whose failure was ignored is rolled back and says so`() async throws {
      try await withClient { client in
        try await makeTable("ignored", client)
        let error = await postgresError {
          try await client.withTransaction { transaction in
            _ = try await transaction.query("INSERT INTO ignored VALUES (\(1))")
            _ = await postgresError { _ = try await transaction.query("SELECT 1 / \(0)") }
          }
        }
        #expect(error?.code == .server(sqlState: "25P02"))
        #expect(try await client.value("SELECT count(*) FROM ignored", as: Int.self) == 0)
      }
    }

    @Test func `more transactions than connections wait for their turn while queries pass`() async throws {
      try await withClient(connections: 3) { client in
        try await makeTable("turns", client)
        try await withThrowingTaskGroup(of: Void.self) { group in
          for number in 0..<100 {
            group.addTask {
              try await client.withTransaction { transaction in
                _ = try await transaction.query("SELECT 1")
                _ = try await transaction.query("INSERT INTO turns VALUES (\(number))")
              }
            }
            group.addTask { _ = try await client.query("SELECT \(number)") }
          }
          try await group.waitForAll()
        }
        #expect(try await client.value("SELECT count(*) FROM turns", as: Int.self) == 100)
      }
    }

    @Test func `a handle is of no use after its scope`() async throws {
      try await withClient { client in
        nonisolated(unsafe) var escaped: PostgresTransaction?
        try await client.withTransaction { escaped = $0 }
        let error = await postgresError { _ = try await escaped?.query("SELECT 1") }
        #expect(error?.code == .closed)
      }
    }

    @Test func `a borrowed connection comes back as it was`() async throws {
      try await withClient { client in
        let pid: Int = try await client.value("SELECT pg_backend_pid()")
        try await client.withConnection { session in
          _ = try await session.query("SET application_name = 'changed'")
          _ = try await session.query("SELECT pg_advisory_lock(42)")
          _ = try await session.query("BEGIN")
        }
        #expect(try await client.value("SELECT pg_backend_pid()", as: Int.self) == pid)
        #expect(try await client.value("SELECT current_setting('application_name')", as: String.self) == "belfry-tests")
        #expect(
          try await client.value("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'", as: Int.self) == 0
        )
      }
    }

    @Test func `a script runs all its statements, or stops at the first failure`() async throws {
      try await withClient { client in
        try await client.withConnection { session in
          try await session.script("CREATE TEMPORARY TABLE s (id int); INSERT INTO s VALUES (1), (2); SELECT * FROM s")
          #expect(try await session.query("SELECT count(*) FROM s")[0].get(0) == 2)
          let error = await postgresError { try await session.script("INSERT INTO s VALUES (3); SELECT 1/0") }
          #expect(error?.code == .server(sqlState: "22012"))
          #expect(try await session.query("SELECT count(*) FROM s")[0].get(0) == 2)
          let copy = await postgresError { try await session.script("SELECT 1; COPY s TO STDOUT") }
          #expect(copy?.code == .invalidQuery)
        }
        try await client.expectWorks()
      }
    }

    /// What waits in the kernel to be read by the server: `/proc/net/tcp`, fields local address and queues (`tx:rx`).
    private func unreadBytes(port: Int) throws -> Int {
      // A file handle, because the file's size says nothing about its length.
      let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/net/tcp"))
      let table = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
      return table.split(separator: "\n").dropFirst().reduce(0) {
        let fields = $1.split(separator: " ")
        guard fields[1].hasSuffix(String(format: ":%04X", port)) else { return $0 }
        return $0 + (Int(fields[4].suffix(8), radix: 16) ?? 0)
      }
    }

    private func makeTable(_ name: String, _ client: PostgresClient) async throws {
      _ = try await client.query("DROP TABLE IF EXISTS \(unescaped: name)")
      _ = try await client.query("CREATE TABLE \(unescaped: name) (id int8 PRIMARY KEY)")
    }
  }
}
