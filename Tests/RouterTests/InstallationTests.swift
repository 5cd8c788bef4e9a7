import Foundation
import Logging
import NotificationModel
import NotificationQueue
import NotificationStore
import Postgres
import ServiceFaults
import TestSupport
import Testing

@testable import Router

/// The same against a real server, whose errors are what they are.
struct InstallationTests {
  private static let faults: [(breaking: String, mending: String, problem: String)] = [
    (
      "DO $$ BEGIN EXECUTE format('ALTER TABLE notifications DETACH PARTITION %I', \(partition)); END $$",
      """
      DO $$ BEGIN EXECUTE format('ALTER TABLE notifications ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
        \(partition), belfry_uuid_at(date_trunc('week', now())), belfry_uuid_at(date_trunc('week', now()) + interval '7 days'));
      END $$
      """,
      "database: partition"
    ),
    ("ALTER TABLE inbox RENAME TO elsewhere", "ALTER TABLE elsewhere RENAME TO inbox", "database: schema"),
    (
      "ALTER TABLE devices RENAME COLUMN platform TO os", "ALTER TABLE devices RENAME COLUMN os TO platform",
      "database: schema"
    ),
    // The router's user owns nothing: it may what PUBLIC may.
    (
      "REVOKE INSERT ON notifications FROM PUBLIC", "GRANT INSERT ON notifications TO PUBLIC", "database: privilege"
    ),
  ]
  private static let partition = "'notifications_' || to_char(date_trunc('week', now()), 'YYYYMMDD')"

  @Test(arguments: faults.indices)
  func `requests wait while the database is not as it should be, and are delivered once it is`(
    _ index: Int
  ) async throws {
    let fault = Self.faults[index]
    try await withOwnerAndUser { owner, client in
      let router = TestRouter()
      let people = (0..<5).map { _ in UserID(UUID()) }
      for person in people { try await router.send(to: [person]) }
      try await owner.withConnection { try await $0.script(fault.breaking) }
      let worker = try router.worker(on: client)
      async let working: Void = worker.run()
      try await eventually("something is in its way") { router.faults.problem != nil || router.isDone }
      #expect(router.faults.problem == fault.problem)
      #expect(router.deadLettered.isEmpty)
      try await owner.withConnection { try await $0.script(fault.mending) }
      try await working
      #expect(router.faults.problem == nil)
      #expect(router.isDone)
      #expect(router.deadLettered.isEmpty)
      let rows = try await client.query("SELECT count(*) FROM notifications WHERE user_id = ANY (\(people))")
      #expect(try rows.first?.get(0) == 5)
      let notified = router.log.all.filter { $0.text.contains("the operator mends") || $0.text.contains("goes on") }
      #expect(notified.count == 2)
    }
  }

  /// Runs `body` with a client of the schema's owner, and one of a user of its own who may only read and write the tables.
  private func withOwnerAndUser(_ body: (PostgresClient, PostgresClient) async throws -> Void) async throws {
    try await TestDatabase.withURL { url in
      try await TestDatabase.withClient(of: url) { owner in
        let user = "user_\(UUID().uuidString.replacing("-", with: "").lowercased())"
        var address = try #require(URLComponents(string: url))
        (address.user, address.password) = (user, user)
        let userURL = try #require(address.string)
        try await owner.withConnection {
          try await $0.script(
            """
            CREATE ROLE \(user) LOGIN PASSWORD '\(user)';
            GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO PUBLIC
            """
          )
        }
        do {
          try await TestDatabase.withClient(of: userURL) { try await body(owner, $0) }
        } catch {
          // Roles belong to the server: this one would outlive the test's database.
          try await owner.withConnection { try await $0.script("DROP ROLE \(user)") }
          throw error
        }
        try await owner.withConnection { try await $0.script("DROP ROLE \(user)") }
      }
    }
  }
}
