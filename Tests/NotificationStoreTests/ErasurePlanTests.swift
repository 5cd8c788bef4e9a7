import Foundation
import NotificationModel
import Postgres
import TestSupport
import Testing

@testable import NotificationStore

/// What erasing and the looks for marks read, of large tables.
@Suite struct ErasurePlanTests {
  private static let ann = UserID(UUID(uuid: (9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9)))

  @Test(arguments: [true, false])
  func `a look for new marks reads those and no others`(isGeneric: Bool) async throws {
    try await TestDatabase.with { client in
      _ = try await client.query(
        """
        INSERT INTO erased_users SELECT gen_random_uuid(), now() - n * interval '1 minute'
        FROM generate_series(1, 100000) AS n
        """
      )
      _ = try await client.query("ANALYZE erased_users")
      let plan = try await QueryPlan.of(
        ErasureStore.erased(since: .now),
        planned: .alongIndexes,
        types: ["timestamptz"],
        arguments: ["now() - interval '10 minutes'"],
        isGeneric: isGeneric,
        isRun: true,
        client
      )
      #expect(plan.reads(of: "erased_users").allSatisfy { $0.type != "Seq Scan" && $0.rowsRead < 20 }, "\(plan)")
      #expect(!plan.reads(of: "erased_users").isEmpty)
    }
  }

  @Test(arguments: [true, false])
  func `the schedules that name a user are found by the user`(isGeneric: Bool) async throws {
    try await TestDatabase.with { client in
      _ = try await client.query(
        """
        INSERT INTO schedules (id, owner, key, definition, starts_on, done_until, created_at, updated_at)
        SELECT gen_random_uuid(), 'shop', n::text, '{"to":{"users":["' || md5((n % 10000)::text)::uuid || '"]}}',
          '2026-01-01', now(), now(), now()
        FROM generate_series(1, 50000) AS n
        """
      )
      _ = try await client.query(
        "UPDATE schedules SET definition = '{\"to\":{\"users\":[\"\(unescaped: Self.ann.description)\"]}}' WHERE key = '7'"
      )
      _ = try await client.query("ANALYZE schedules")
      _ = try await client.query("ANALYZE schedule_users")
      let plan = try await QueryPlan.of(
        ErasureStore.schedules(naming: Self.ann, after: nil),
        planned: .alongIndexes,
        types: ["uuid", "uuid", "int8"],
        arguments: ["'\(Self.ann)'", "'\(UUID.beforeAll)'", "\(ErasureStore.schedulesAtOnce)"],
        isGeneric: isGeneric,
        isRun: true,
        client
      )
      for table in ["schedule_users", "schedules"] {
        #expect(!plan.reads(of: table).isEmpty)
        #expect(plan.reads(of: table).allSatisfy { $0.type != "Seq Scan" && $0.rowsRead <= 1 }, "\(plan)")
      }
    }
  }

  @Test(arguments: [true, false])
  func `lines of the audit log about a user, and by one, are found by an index`(isGeneric: Bool) async throws {
    try await TestDatabase.with { client in
      // Nearly all are of one service about one user: to a plan that knows nobody's name, any name has many.
      _ = try await client.query(
        "INSERT INTO audit (actor, action, subject) SELECT 'shop', 'user.export', 'x' FROM generate_series(1, 50000)"
      )
      let user = Self.ann.description
      for actor in [user, user.uppercased()] {
        try await AuditStore(client: client).write(actor: actor, action: "user.export", subject: user)
      }
      _ = try await client.query("ANALYZE audit")
      for (statement, index) in zip(ErasureStore.anonymise(Self.ann), ["audit_subject", "audit_actor"]) {
        let plan = try await QueryPlan.of(
          statement,
          planned: .alongIndexes,
          types: ["text", "text"],
          arguments: ["'\(user)'", "'\(user)'"],
          isGeneric: isGeneric,
          isRun: true,
          client
        )
        #expect(plan.nodes.compactMap(\.index) == [index], "\(plan)")
        #expect(plan.reads(of: "audit").map(\.rowsRead) == [2], "\(plan)")
      }
    }
  }

  @Test(arguments: [true, false])
  func `every table finds a user's rows by an index`(isGeneric: Bool) async throws {
    try await TestDatabase.with { client in
      for table in ErasureStore.tables {
        let plan = try await QueryPlan.of(
          ErasureStore.delete(Self.ann, from: table),
          planned: .alongIndexes,
          types: ["uuid"],
          arguments: ["'\(Self.ann)'"],
          isGeneric: isGeneric,
          client
        )
        #expect(!plan.reads(of: table).isEmpty)
        #expect(!plan.reads(of: table).contains { $0.type == "Seq Scan" }, "\(plan)")
      }
    }
  }
}
