import LocalStack
import Postgres
import Synchronization
import TestSupport
import Testing

extension PostgresTests {
  @Suite struct RecoveryTests {
    @Test func `when the server is killed everybody gets an answer, and work resumes by itself`() async throws {
      let server = try testServer()
      try await withClient(connections: 3, connectTimeout: .seconds(20)) { client in
        _ = try await client.query("DROP TABLE IF EXISTS survivors")
        _ = try await client.query("CREATE TABLE survivors (id int8 PRIMARY KEY)")
        let isOver = Flag()
        let outcomes = try await withThrowingTaskGroup(of: [(id: Int, error: PostgresError?)].self) { group in
          for caller in 0..<100 {
            group.addTask {
              var outcomes: [(Int, PostgresError?)] = []
              while !isOver.isSet {
                let id = caller * 1_000_000 + outcomes.count
                outcomes.append((id, await postgresError { try await insert(id, client, way: caller % 4) }))
              }
              return outcomes
            }
          }
          for _ in 0..<3 {
            try await waitForGrowth(client)
            await server.kill()
            try await server.restart()
          }
          try await waitForGrowth(client)  // work has resumed
          isOver.set()
          return try await group.reduce(into: []) { $0 += $1 }
        }
        let failures = outcomes.compactMap(\.error)
        #expect(failures.count >= 3)
        let permanent = failures.filter { !$0.isTransient }.map(\.debugDescription)
        #expect(permanent == [])
        // Whatever was confirmed is there.
        let confirmed = outcomes.filter { $0.error == nil }.map(\.id)
        let present: Int = try await client.value("SELECT count(*) FROM survivors WHERE id = ANY(\(confirmed))")
        #expect(present == confirmed.count)
      }
    }

    @Test func `a backend that is terminated spoils only its own connection`() async throws {
      try await withClient(connections: 2) { client in
        try await client.withConnection { session in
          let pid: Int = try await session.query("SELECT pg_backend_pid()")[0].get(0)
          let terminated: Bool = try await client.value("SELECT pg_terminate_backend(\(Int32(pid)))")
          #expect(terminated)
          let error = await postgresError {
            for _ in 0..<1_000 { _ = try await session.query("SELECT 1") }
          }
          #expect(error?.code == .connectionLost)
          #expect(error?.isTransient == true)
        }
        try await client.expectWorks()
      }
    }

    @Test func `a last word and the end in one event are both heard`() async throws {
      let server = try FatalServer()
      defer { server.stop() }
      let url = "postgresql://somebody@127.0.0.1:\(server.port)/nowhere?sslmode=disable&gssencmode=disable"
      try await withClient(url: url) { client in
        for _ in 0..<20 {
          let start = ContinuousClock.now
          #expect(await postgresError { _ = try await client.query("SELECT 1") }?.code == .connectionLost)
          #expect(start.duration(to: .now) < .seconds(20))  // not by the query's timeout, which is 30 s
        }
      }
    }

    @Test func `a client may be started before its server`() async throws {
      let server = try testServer()
      await server.stop()
      try await withClient(connectTimeout: .seconds(30)) { client in
        #expect(!client.isReady)
        async let answer: Int = client.value("SELECT 1")
        try await server.restart()
        #expect(try await answer == 1)
        #expect(client.isReady)
      }
    }

    @Test func `without a server a caller waits for the connect timeout and no longer`() async throws {
      let port = try FreePort.find()
      let url = "postgresql://somebody:open-sesame@127.0.0.1:\(port)/nowhere"
      try await withClient(connectTimeout: .milliseconds(300), url: url) { client in
        for use in [{ _ = try await client.query("SELECT 1") }, { try await client.withTransaction { _ in } }] {
          let start = ContinuousClock.now
          let error = try #require(await postgresError(use))
          #expect(start.duration(to: .now) >= .milliseconds(300))
          #expect(error.code == .cannotConnect)
          #expect(error.isTransient)
          #expect(error.description.contains("refused"))
          #expect(!"\(error) \(error.debugDescription)".contains("open-sesame"))
        }
      }
    }

    @Test func `a query before run waits for it, and gives up after the connect timeout`() async throws {
      let configuration = PostgresConfiguration(url: try testServer().url, connectTimeout: .milliseconds(200))
      let idle = PostgresClient(configuration: configuration, logger: .quiet)
      #expect(await postgresError { _ = try await idle.query("SELECT 1") }?.code == .cannotConnect)
    }

    @Test func `the second of several hosts is used when the first does not answer`() async throws {
      let server = try testServer()
      let dead = try FreePort.find()
      let url = server.url.replacing("127.0.0.1:", with: "127.0.0.1:\(dead),127.0.0.1:")
      try await withClient(url: url) { client in
        try await client.expectWorks()
      }
    }

    private func waitForGrowth(_ client: PostgresClient) async throws {
      let count: Int = try await client.value("SELECT count(*) FROM survivors")
      try await eventually("rows are added") {
        try await client.value("SELECT count(*) >= \(count + 100) FROM survivors")
      }
    }

    private func insert(_ id: Int, _ client: PostgresClient, way: Int) async throws {
      switch way {
      case 0: _ = try await client.query("INSERT INTO survivors VALUES (\(id))")
      case 1: _ = try await client.transaction(["INSERT INTO survivors VALUES (\(id))", "SELECT \(id)"])
      case 2: _ = try await client.query("INSERT INTO survivors SELECT \(id) FROM pg_sleep(0.01)")
      default:
        try await client.withTransaction { transaction in
          _ = try await transaction.query("INSERT INTO survivors VALUES (\(id))")
          _ = try await transaction.query("SELECT \(id)")
        }
      }
    }
  }
}

private final class Flag: Sendable {
  private let value = Atomic(false)
  var isSet: Bool { value.load(ordering: .relaxed) }
  func set() { value.store(true, ordering: .relaxed) }
}
