import Foundation
import BelfryJSON
import Postgres
import TestSupport
import Testing

@testable import NotificationStore

struct AuditTests {
  @Test func `entries are read from the newest on, page by page, as they were written`() async throws {
    try await TestDatabase.with { client in
      let audit = AuditStore(client: client)
      #expect(try await audit.page(before: nil, limit: 2).entries.isEmpty)
      let detail = try JSONParser.parse(Array(#"{"count":3,"note":"ä \"b\"\n"}"#.utf8))
      try await audit.write(actor: "ann", action: "user.erase", detail: detail, requestID: "r-1")
      for number in 1...4 { try await audit.write(actor: "key:1", action: "dead.redrive", subject: "\(number)") }
      let first = try await audit.page(before: nil, limit: 3)
      #expect(first.entries.map(\.subject) == ["4", "3", "2"])
      #expect(first.hasMore)
      let rest = try await audit.page(before: first.entries.last?.id, limit: 3)
      #expect(rest.entries.map(\.subject) == ["1", nil])
      #expect(!rest.hasMore)
      let oldest = try #require(rest.entries.last)
      #expect(oldest.actor == "ann" && oldest.action == "user.erase" && oldest.requestID == "r-1")
      #expect(oldest.detail?["count"]?.integer == 3)
      #expect(oldest.detail?["note"]?.string == "ä \"b\"\n")
      #expect(rest.entries.first?.detail == nil && rest.entries.first?.requestID == nil)
      #expect(abs(oldest.at.timeIntervalSinceNow) < 60)
    }
  }

  @Test func `an entry comes to be with what it records, or not at all`() async throws {
    try await TestDatabase.with { client in
      let line = AuditStore.line(actor: "ann", action: "test")
      await #expect(throws: PostgresError.self) {
        _ = try await client.transaction([line, "SELECT 1 / 0"])
      }
      #expect(try await AuditStore(client: client).page(before: nil, limit: 1).entries.isEmpty)
      _ = try await client.transaction(["SELECT 1", line])
      #expect(try await AuditStore(client: client).page(before: nil, limit: 1).entries.count == 1)
    }
  }

  @Test(arguments: [true, false])
  func `a page reads hardly more entries than it answers`(isGeneric: Bool) async throws {
    try await TestDatabase.with { client in
      _ = try await client.query(
        "INSERT INTO audit (actor, action) SELECT 'ann', n::text FROM generate_series(1, 100000) AS n"
      )
      _ = try await client.query("ANALYZE audit")
      let plan = try await QueryPlan.of(
        AuditStore.entries(before: 50_000, limit: 51),
        types: ["int8", "int8"],
        arguments: ["50000", "51"],
        isGeneric: isGeneric,
        isRun: true,
        client
      )
      #expect(plan.reads(of: "audit").map(\.index) == ["audit_pkey"], "\(plan)")
      #expect(plan.reads(of: "audit").map(\.rowsRead) == [51], "\(plan)")
    }
  }
}
