import Foundation
import NotificationModel
import Postgres
import TestSupport
import Testing

@testable import NotificationStore

/// What the planner makes of the statements on API keys, at 100,000 of them.
struct APIKeyPlanTests {
  private static let id = APIKeyID(UUID())

  @Test(arguments: [true, false])
  func `a key is found by its hash or its id, and a page reads hardly more than it answers`(_ isGeneric: Bool)
    async throws
  {
    try await TestDatabase.with { client in
      try await client.fill(
        "api_keys",
        """
        INSERT INTO api_keys (id, name, hash, scopes, created_by, created_at)
        SELECT lpad(to_hex(n), 32, '0')::uuid, 'n', decode(md5(n::text), 'hex'), '{send}', 'ops', now()
        FROM generate_series(1, 100000) AS n
        """
      )
      func plan(
        _ query: SQLQuery,
        _ parameters: [(type: String, value: String)],
        isRun: Bool = true
      ) async throws -> QueryPlan {
        try await QueryPlan.of(
          query,
          types: parameters.map(\.type),
          arguments: parameters.map(\.value),
          isGeneric: isGeneric,
          isRun: isRun,
          client
        )
      }
      let found = try await plan(APIKeyStore.valid(hash: []), [("bytea", "decode(md5('7'), 'hex')")])
      #expect(found.reads(of: "api_keys").map(\.index) == ["api_keys_hash_key"], "\(found)")
      #expect(found.reads(of: "api_keys").map(\.rowsRead) == [1], "\(found)")
      let last = "'ffffffff-ffff-ffff-ffff-ffffffffffff'"
      let page = try await plan(APIKeyStore.list(after: nil, limit: 21), [("uuid", last), ("int8", "21")])
      #expect(page.reads(of: "api_keys").map(\.index) == ["api_keys_pkey"], "\(page)")
      #expect(page.reads(of: "api_keys").map(\.rowsRead) == [21], "\(page)")
      let ids = ("uuid[]", "ARRAY[lpad('7', 32, '0')::uuid]")
      for (query, parameters) in [
        (
          APIKeyStore.revoke(Self.id, at: Date(timeIntervalSince1970: 0)),
          [("timestamptz", "now()"), ("uuid", "lpad('7', 32, '0')::uuid")]
        ),
        (APIKeyStore.note([]), [ids, ids, ("timestamptz[]", "ARRAY[now()]")]),
      ] {
        let plan = try await plan(query, parameters, isRun: false)
        #expect(!plan.reads(of: "api_keys").isEmpty)
        #expect(plan.reads(of: "api_keys").allSatisfy { $0.type != "Seq Scan" }, "\(plan)")
      }
    }
  }
}
