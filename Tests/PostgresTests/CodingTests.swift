import Foundation
import Postgres
import Testing

extension PostgresTests {
  @Suite struct CodingTests {
    @Test func `every type goes to the server and comes back the same`() async throws {
      try await withClient { client in
        try await roundTrip([true, false], client)
        try await roundTrip([Int16.min, -1, 0, .max], client)
        try await roundTrip([Int32.min, -1, 0, .max], client)
        try await roundTrip([Int.min, -1, 0, .max], client)
        try await roundTrip([Int64.min, .max], client)
        try await roundTrip([0, -0.5, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity], client)
        try await roundTrip(["", "a", "Grüße 🔔 $1 '; --", String(repeating: "x", count: 100_000)], client)
        try await roundTrip([UUID(), UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))], client)
        try await roundTrip(
          [Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 1_763_700_000.123456), .distantFuture],
          client
        )
        try await roundTrip(
          [PostgresBytes([]), PostgresBytes([0, 255, 39, 92]), PostgresBytes(Array(0...255))],
          client
        )
        try await roundTrip([PostgresJSON(text: "{}"), PostgresJSON(text: #"{"amount": "$10.00"}"#)], client)
        try await roundTrip([ShoeSize(rawValue: 42)], client)
      }
    }

    @Test func `what is sent is what the server understands`() async throws {
      try await withClient { client in
        let id = try #require(UUID(uuidString: "0191e6c4-0000-7000-8000-00000000002a"))
        let date = Date(timeIntervalSince1970: 1_763_700_000.25)
        let row = try await client.query(
          """
          SELECT \(true)::text AS a, \(-7)::text AS b, \(2.5)::text AS c, \(id)::text AS d, \(date)::text AS e,
            \(PostgresBytes([1, 255]))::text AS f, \(PostgresJSON(text: "{\"a\":[1,null]}"))::text AS g,
            \([1, nil, 3])::text AS h, \(["x y", nil, "", "NULL"])::text AS i, \([Int]())::text AS j
          """
        )[0]
        #expect(try row.get("a") == "true")
        #expect(try row.get("b") == "-7")
        #expect(try row.get("c") == "2.5")
        #expect(try row.get("d") == id.uuidString.lowercased())
        #expect(try row.get("e") == "2025-11-21 04:40:00.25+00")
        #expect(try row.get("f") == "\\x01ff")
        #expect(try row.get("g") == #"{"a": [1, null]}"#)
        #expect(try row.get("h") == "{1,NULL,3}")
        #expect(try row.get("i") == #"{"x y",NULL,"","NULL"}"#)
        #expect(try row.get("j") == "{}")
      }
    }

    @Test func `parts of a statement share their parameters, of which none has to be used`() async throws {
      try await withClient { client in
        let query = SQLQuery(unescaped: "SELECT $1 || $2, $1, $3 IS NULL", binding: "a", "b", Int?.none, [7])
        let row = try await client.query(query)[0]
        #expect(try row.get(0) == "ab")
        #expect(try row.get(1) == "a")
        #expect(try row.get(2) == true)
      }
    }

    @Test func `integers of any width decode into any that can hold them`() async throws {
      try await withClient { client in
        let row = try await client.query("SELECT 7::int2 AS small, 7::int4 AS middle, 70000::int8 AS large")[0]
        #expect(try row.get("small", as: Int.self) == 7)
        #expect(try row.get("middle", as: Int16.self) == 7)
        #expect(try row.get("large", as: Int32.self) == 70_000)
        let error = #expect(throws: PostgresError.self) { try row.get("large", as: Int16.self) }
        #expect(error?.code == .decoding)
        #expect(error?.description.contains("large") == true)
      }
    }

    @Test func `all kinds of text and JSON decode as String`() async throws {
      try await withClient { client in
        let row = try await client.query(
          "SELECT 'a'::text, 'a'::varchar, 'a'::name, 'a'::char(1), '\"a\"'::json, '\"a\"'::jsonb, 'a'"
        )[0]
        for column in [0, 1, 2, 3, 6] { #expect(try row.get(column) == "a") }
        for column in [4, 5] { #expect(try row.get(column, as: PostgresJSON.self).text == #""a""#) }
        #expect(try row.get(5) == #""a""#)
      }
    }

    @Test func `NULL, a wrong type and a missing column are decoding errors that name the column`() async throws {
      try await withClient { client in
        let row = try await client.query("SELECT NULL::int8 AS nothing, 'word' AS word, 1.5::numeric AS amount")[0]
        #expect(try row.get("nothing", as: Int?.self) == nil)
        #expect(try row.get("word", as: String?.self) == "word")
        for (column, ask) in [
          ("nothing", { (row: PostgresRow) in _ = try row.get("nothing", as: Int.self) }),
          ("word", { row in _ = try row.get("word", as: Int.self) }),
          ("amount", { row in _ = try row.get("amount", as: Double.self) }),
          ("absent", { row in _ = try row.get("absent", as: Int?.self) }),
        ] {
          let error = #expect(throws: PostgresError.self) { try ask(row) }
          #expect(error?.code == .decoding)
          #expect(error?.description.contains(column) == true)
          #expect(error?.description.contains("1.5") == false)
        }
      }
    }

    @Test func `rows in bulk go through unnest, with NULLs`() async throws {
      try await withClient { client in
        _ = try await client.query("CREATE TEMPORARY TABLE bulk (id int8 PRIMARY KEY, title text, size int2)")
        let count = 1_000
        let titles = (0..<count).map { $0.isMultiple(of: 3) ? nil : "title \($0)" }
        let inserted = try await client.query(
          """
          INSERT INTO bulk
          SELECT * FROM unnest(\(Array(0..<count)), \(titles), \((0..<count).map { Int16($0) }))
          """
        )
        #expect(inserted.affectedRows == count)
        let rows = try await client.query("SELECT title FROM bulk ORDER BY id")
        #expect(rows.affectedRows == count)
        #expect(try rows.map { try $0.get("title", as: String?.self) } == titles)
        #expect(try await client.value("SELECT array_agg(title ORDER BY id) FROM bulk", as: [String?].self) == titles)
      }
    }

    @Test func `an array of two dimensions is not taken for one`() async throws {
      try await withClient { client in
        let error = await postgresError { _ = try await client.value("SELECT '{{1,2},{3,4}}'::int8[]", as: [Int].self) }
        #expect(error?.code == .decoding)
        let nulls = await postgresError { _ = try await client.value("SELECT '{1,NULL}'::int8[]", as: [Int].self) }
        #expect(nulls?.code == .decoding)
      }
    }

    private func roundTrip<T: PostgresArrayElement & PostgresDecodable & Equatable>(
      _ values: [T],
      _ client: PostgresClient
    ) async throws {
      for value in values {
        let row = try await client.query("SELECT \(value) AS v, \(T?.none) AS n, \([value, value]) AS a")[0]
        #expect(try row.get("v") == value)
        #expect(try row.get("n", as: T?.self) == nil)
        #expect(try row.get("a") == [value, value])
      }
      let optionals: [T?] = [nil] + values + [nil]
      let row = try await client.query("SELECT \(values) AS a, \(optionals) AS o, \([T]()) AS e")[0]
      #expect(try row.get("a") == values)
      #expect(try row.get("o") == optionals)
      #expect(try row.get("e") == [T]())
    }
  }
}

private struct ShoeSize: RawRepresentable, PostgresArrayElement, PostgresDecodable, Equatable {
  let rawValue: Int16
}
