import Postgres
import Testing

extension PostgresTests {
  @Suite struct PipelineTests {
    @Test func `a hundred concurrent callers share one connection and each gets its own answer`() async throws {
      try await withClient { client in
        let answers = try await withThrowingTaskGroup(of: (Int, Int, Int).self) { group in
          for number in 0..<100 {
            group.addTask {
              let row = try #require(
                try await client.query("SELECT \(number)::int8 * 2 AS double, pg_backend_pid() AS pid").first
              )
              return (number, try row.get("double"), try row.get("pid"))
            }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count == 100)
        #expect(answers.allSatisfy { $0.1 == $0.0 * 2 })
        #expect(Set(answers.map(\.2)).count == 1)
      }
    }

    @Test func `a failing statement spoils only itself`() async throws {
      try await withClient { client in
        let outcomes = await withTaskGroup(of: (Int, PostgresError.Code?).self) { group in
          for number in 0..<200 {
            group.addTask {
              let error = await postgresError {
                // The same text for all: the failing ones fail while it runs.
                let quotient: Int = try await client.value("SELECT 100 / \(number % 4)")
                #expect(quotient == 100 / (number % 4))
              }
              return (number, error?.code)
            }
          }
          return await group.reduce(into: []) { $0.append($1) }
        }
        for (number, code) in outcomes {
          #expect(code == (number % 4 == 0 ? .server(sqlState: "22012") : nil))
        }
      }
    }

    @Test func `a statement that cannot be prepared fails for everybody who sends it and for nobody else`() async throws
    {
      try await withClient { client in
        let codes = await withTaskGroup(of: (Bool, PostgresError.Code?).self) { group in
          for number in 0..<100 {
            let isWrong = number.isMultiple(of: 3)
            group.addTask {
              let error = await postgresError {
                let query: SQLQuery = isWrong ? "SELECT \(number) FROM no_such_table" : "SELECT \(number)"
                _ = try await client.query(query)
              }
              return (isWrong, error?.code)
            }
          }
          return await group.reduce(into: []) { $0.append($1) }
        }
        for (isWrong, code) in codes { #expect(code == (isWrong ? .server(sqlState: "42P01") : nil)) }
        // Once it is right, the same text works: the failure was not remembered.
        _ = try await client.query("CREATE TEMPORARY TABLE no_such_table AS SELECT 1 AS one")
        #expect(try await client.value("SELECT \(5) FROM no_such_table", as: Int.self) == 5)
      }
    }

    @Test func `a statement first seen behind a failure in a transaction is still usable by others`() async throws {
      try await withClient { client in
        async let failing = postgresError {
          _ = try await client.transaction(["SELECT 1 / \(0)", "SELECT \(1) AS innocent"])
        }
        async let innocent: [Int] = withThrowingTaskGroup(of: Int.self) { group in
          for _ in 0..<20 { group.addTask { try await client.value("SELECT \(1) AS innocent") } }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(await failing?.code == .server(sqlState: "22012"))
        let ones = try await innocent
        #expect(ones == Array(repeating: 1, count: 20))
      }
    }

    @Test func `a plan that has become stale is a transient failure, and works the next time`() async throws {
      try await withClient { client in
        _ = try await client.query("CREATE TEMPORARY TABLE plans AS SELECT 1 AS a")
        for _ in 0..<2 { _ = try await client.query("SELECT * FROM plans") }
        _ = try await client.query("ALTER TABLE plans ADD COLUMN b text DEFAULT 'new'")
        let error = try #require(await postgresError { _ = try await client.query("SELECT * FROM plans") })
        #expect(error.isTransient)
        #expect(try await client.query("SELECT * FROM plans")[0].get("b") == "new")
      }
    }

    @Test func `a statement the server forgot is a transient failure, and works the next time`() async throws {
      try await withClient { client in
        for _ in 0..<2 { #expect(try await client.value("SELECT \(1)::int8", as: Int.self) == 1) }
        _ = try await client.query("DEALLOCATE ALL")
        let error = try #require(await postgresError { _ = try await client.query("SELECT \(1)::int8") })
        #expect(error.code == .server(sqlState: "26000"))
        #expect(error.isTransient)
        #expect(try await client.value("SELECT \(1)::int8", as: Int.self) == 1)
      }
    }

    @Test func `the prepared statements of a connection are bounded`() async throws {
      try await withClient { client in
        for number in 0..<400 { _ = try await client.query("SELECT 1 AS \(unescaped: "c\(number)")") }
        let prepared: Int = try await client.value("SELECT count(*) FROM pg_prepared_statements")
        #expect((200...257).contains(prepared))
        // The oldest was deallocated and is prepared again.
        #expect(try await client.value("SELECT 1 AS \(unescaped: "c0")", as: Int.self) == 1)
      }
    }

    @Test func `the same text with other parameter types is another statement`() async throws {
      try await withClient { client in
        for _ in 0..<2 {
          let small: Int = try await client.value("SELECT \(Int32(7))")
          let large: Int = try await client.value("SELECT \(Int(1 << 40))")
          let text: String = try await client.value("SELECT \("text")")
          #expect(small == 7 && large == 1 << 40 && text == "text")
        }
      }
    }

    @Test func `results of many megabytes pass in both directions`() async throws {
      try await withClient { client in
        let numbers = Array(0..<500_000)
        let text = String(repeating: "belfry ", count: 1_000_000)
        async let size: Int = client.value("SELECT length(\(text))")
        let rows = try await client.query("SELECT n FROM unnest(\(numbers)) AS n")
        #expect(try rows.map { try $0.get("n", as: Int.self) } == numbers)
        #expect(try await size == text.count)
      }
    }

    @Test func `more parameters than the protocol can count are refused before they are sent`() async throws {
      try await withClient { client in
        var interpolation = SQLQuery.StringInterpolation(literalCapacity: 0, interpolationCount: 65_536)
        for number in 0..<65_536 { interpolation.appendInterpolation(number) }
        let error = await postgresError { _ = try await client.query(SQLQuery(stringInterpolation: interpolation)) }
        #expect(error?.code == .invalidQuery)
        try await client.expectWorks()
      }
    }

    @Test func `COPY is refused without hanging anybody`() async throws {
      try await withClient { client in
        let error = await postgresError { _ = try await client.query("COPY (SELECT 1) TO STDOUT") }
        #expect(error?.code == .invalidQuery)
        try await client.expectWorks()
      }
    }
  }
}
