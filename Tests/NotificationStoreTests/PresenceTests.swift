import NotificationModel
import Postgres
import TestSupport
import Testing

@testable import NotificationStore

struct PresenceTests {
  private static func viewed(_ client: PostgresClient, _ users: [UserID]) async throws -> [UserID: Set<RelatedEntity>] {
    try await PresenceStore(client: client).viewed(by: users, timeout: .seconds(30))
  }

  private static func entities(_ ids: String...) throws -> Set<RelatedEntity> {
    Set(try ids.map(entity))
  }

  private static func entity(_ id: String) throws -> RelatedEntity {
    try #require(RelatedEntity(type: "Conversation", id: id))
  }

  @Test func `what is looked at over several connections is known until it is not any more`() async throws {
    try await TestDatabase.with { client in
      let presence = PresenceStore(client: client)
      let (ann, bob) = (Sample.user(), Sample.user())
      try await presence.heartbeat("one")
      try await presence.heartbeat("two")
      try await presence.start(ann, connection: "a", node: "one", entity: Self.entity("A1"))
      try await presence.start(ann, connection: "b", node: "two", entity: Self.entity("2"))
      try await presence.start(bob, connection: "c", node: "two", entity: Self.entity("3"))
      #expect(
        try await Self.viewed(client, [ann, bob, Sample.user()])
          == [ann: Self.entities("a1", "2"), bob: Self.entities("3")]
      )
      #expect(try await Self.viewed(client, [bob]) == [bob: Self.entities("3")])
      // Another look over the same connection takes the place of the first.
      try await presence.start(ann, connection: "a", node: "one", entity: Self.entity("4"))
      #expect(try await Self.viewed(client, [ann]) == [ann: Self.entities("4", "2")])
      // A connection's id counts for its user alone.
      try await presence.stop([(ann, "b"), (bob, "a"), (ann, "unknown")])
      try await presence.stop([])
      #expect(try await Self.viewed(client, [ann, bob]) == [ann: Self.entities("4"), bob: Self.entities("3")])
      #expect(try await Self.viewed(client, []).isEmpty)
    }
  }

  @Test func `what a node reported goes with the node`() async throws {
    try await TestDatabase.with { client in
      let presence = PresenceStore(client: client)
      let user = Sample.user()
      for node in ["one", "two"] {
        try await presence.heartbeat(node)
        try await presence.start(user, connection: node, node: node, entity: Self.entity(node))
      }
      try await presence.remove("one")
      #expect(try await Self.viewed(client, [user]) == [user: Self.entities("two")])
      #expect(try await client.column("SELECT node FROM nodes", as: String.self) == ["two"])
    }
  }

  @Test func `a node that is not seen has no viewers until it is seen again`() async throws {
    try await TestDatabase.with { client in
      let presence = PresenceStore(client: client)
      let user = Sample.user()
      try await presence.start(user, connection: "a", node: "one", entity: Self.entity("1"))
      #expect(try await Self.viewed(client, [user]).isEmpty)
      try await presence.heartbeat("one")
      #expect(try await Self.viewed(client, [user]).count == 1)
      _ = try await client.query("UPDATE nodes SET seen_at = now() - interval '31 seconds'")
      #expect(try await Self.viewed(client, [user]).isEmpty)
      try await presence.heartbeat("one")
      #expect(try await Self.viewed(client, [user]).count == 1)
    }
  }

  @Test func `maintenance forgets nodes that are gone for good, and what they left`() async throws {
    try await TestDatabase.with { client in
      let presence = PresenceStore(client: client)
      let user = Sample.user()
      for node in ["dead", "late", "live"] {
        try await presence.heartbeat(node)
        try await presence.start(user, connection: node, node: node, entity: Self.entity(node))
      }
      _ = try await client.query("UPDATE nodes SET seen_at = now() - interval '301 seconds' WHERE node = 'dead'")
      _ = try await client.query("UPDATE nodes SET seen_at = now() - interval '200 seconds' WHERE node = 'late'")
      let report = try await MaintenanceStore(client: client).run(
        retention: .seconds(30 * 86_400),
        keyLifetime: .seconds(86_400),
        staleDevice: .seconds(86_400)
      )
      #expect(report?.nodesRemoved == 1)
      #expect(try await client.column("SELECT node FROM nodes ORDER BY 1", as: String.self) == ["late", "live"])
      #expect(try await client.column("SELECT node FROM presence ORDER BY 1", as: String.self) == ["late", "live"])
    }
  }

  @Test func `a question that takes too long is given up by the server, and others go on`() async throws {
    try await TestDatabase.with(connections: 2) { client in
      try await client.withConnection { session in
        try await session.script("BEGIN; LOCK TABLE presence IN ACCESS EXCLUSIVE MODE")
        let error = await #expect(throws: PostgresError.self) {
          try await PresenceStore(client: client).viewed(by: [Sample.user()], timeout: .milliseconds(50))
        }
        #expect(error?.code == .timeout)
        try await session.script("ROLLBACK")
      }
      #expect(try await Self.viewed(client, [Sample.user()]).isEmpty)
      // The limits end with their transaction.
      #expect(try await client.value("SHOW enable_seqscan", as: String.self) == "on")
      #expect(try await client.value("SHOW statement_timeout", as: String.self) == "2min")
    }
  }

  @Test(arguments: [true, false])
  func `among many connections each is found by its key, and a node's by an index`(isGeneric: Bool) async throws {
    try await TestDatabase.with { client in
      _ = try await client.query("INSERT INTO nodes (node) SELECT 'node-' || n FROM generate_series(0, 99) AS n")
      _ = try await client.query(
        """
        INSERT INTO presence (user_id, connection_id, node, entity_type, entity_id)
        SELECT md5(n::text)::uuid, 'c' || n, 'node-' || n % 100, 'account', n::text FROM generate_series(1, 20000) AS n
        """
      )
      _ = try await client.query("ANALYZE presence")
      let user = Sample.user()
      let viewed = try await QueryPlan.of(
        PresenceStore.viewed(by: [user]),
        planned: .alongIndexes(within: .seconds(10)),
        types: ["uuid[]", "float8"],
        arguments: ["'{\(user)}'", "30"],
        isGeneric: isGeneric,
        client
      )
      #expect(!viewed.reads(of: "presence").isEmpty)
      #expect(viewed.reads(of: "presence").allSatisfy { $0.usesPrimaryKey }, "\(viewed)")
      let stop = try await QueryPlan.of(
        PresenceStore.stop([(user, "c")]),
        types: ["uuid[]", "text[]"],
        arguments: ["'{\(user)}'", "'{c}'"],
        isGeneric: isGeneric,
        client
      )
      #expect(!stop.reads(of: "presence").isEmpty)
      #expect(stop.reads(of: "presence").allSatisfy { $0.usesPrimaryKey }, "\(stop)")
      let removal = try await QueryPlan.of(
        "DELETE FROM presence WHERE node = \("node-1")",
        types: ["text"],
        arguments: ["'node-1'"],
        isGeneric: isGeneric,
        client
      )
      #expect(removal.nodes.contains { $0.index == "presence_node" }, "\(removal)")
    }
  }
}
