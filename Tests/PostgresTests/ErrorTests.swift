import Foundation
import LocalStack
import Postgres
import TestSupport
import Testing

extension PostgresTests {
  @Suite struct ErrorTests {
    @Test func `descriptions hold neither parameters nor rows, debug descriptions hold the server's words`()
      async throws
    {
      try await withClient { client in
        _ = try await client.query("CREATE TEMPORARY TABLE secrets (word text PRIMARY KEY, age int CHECK (age < 150))")
        _ = try await client.query("INSERT INTO secrets VALUES (\("hunter2"), \(7))")
        let failures: [(SQLQuery, String)] = [
          ("INSERT INTO secrets VALUES (\("hunter2"), \(8))", "secrets_pkey"),
          ("INSERT INTO secrets VALUES (\("hunter2x"), \(777))", "secrets_age_check"),
          ("SELECT \("hunter2")::int8", "22P02"),
          ("SELECT \(PostgresJSON(text: "hunter2"))", "22P02"),
        ]
        for (query, hint) in failures {
          let error = try #require(await postgresError { _ = try await client.query(query) })
          #expect(error.description.contains(hint))
          #expect(!"\(error)".contains("hunter2") && !"\(error)".contains("777"))
          #expect(!error.isTransient)
          #expect(!"\(query)".contains("hunter2"))
        }
        let duplicate = await postgresError { _ = try await client.query(failures[0].0) }
        #expect(duplicate?.debugDescription.contains("hunter2") == true)
      }
    }

    @Test func `a wrong password is reported without it`() async throws {
      let server = try testServer()
      let url = "postgresql://postgres:not-the-password@127.0.0.1:\(server.port)/postgres"
      try await withClient(connectTimeout: .milliseconds(500), url: url) { client in
        let error = try #require(await postgresError { _ = try await client.query("SELECT 1") })
        #expect(error.code == .cannotConnect)
        #expect(error.description.contains("password authentication failed"))
        #expect(!"\(error) \(error.debugDescription)".contains("not-the-password"))
      }
    }

    @Test(arguments: [
      "postgresql://u:s3cret@[broken/db", "host=h password='s3cret", "postgresql://h/db?nonsense=s3cret",
    ])
    func `a malformed URL stops run without being shown`(url: String) async throws {
      let client = PostgresClient(configuration: PostgresConfiguration(url: url), logger: .quiet)
      let error = try #require(await postgresError { try await client.run() })
      #expect(error.code == .invalidConfiguration)
      #expect(!"\(error) \(error.debugDescription)".contains("s3cret"))
    }

    @Test func `serialization failures and deadlocks are transient`() async throws {
      try await withClient { client in
        for state in ["40001", "40P01", "53300", "55P03", "57P01", "25006"] {
          let error = await postgresError {
            try await client.withConnection {
              try await $0.script("DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '\(state)'; END $$")
            }
          }
          #expect(error?.isTransient == true, "\(state)")
        }
      }
    }
  }
}
