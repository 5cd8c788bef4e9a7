import Foundation
import BelfryJSON
import NotificationModel
import Postgres
import TestSupport
import Testing
import UserIdentity

@testable import NotificationStore

/// Which text a user's UUID stands for, on a real database.
@Suite struct UserIdentifierStoreTests {
  private let log = LogRecorder()

  private func store(
    _ client: PostgresClient,
    capacity: Int = 100,
    freshness: Duration = .seconds(60)
  ) -> UserIdentifierStore {
    UserIdentifierStore(client: client, capacity: capacity, freshness: freshness, logger: log.logger)
  }

  private func identifiers(_ texts: String...) throws -> [UserIdentifier] {
    try texts.map { try #require(UserIdentifier($0)) }
  }

  private func rows(_ client: PostgresClient) async throws -> Int {
    try await client.value("SELECT count(*) FROM user_identifiers")
  }

  @Test func `texts are stored once, byte for byte, and told of their UUIDs`() async throws {
    try await TestDatabase.with { client in
      let users = try identifiers("shop/Käthe 7", "Élise", "E\u{301}lise", " a ", "a%2Fb", "👩‍👩‍👧‍👦")
      for _ in 0..<2 { #expect(try await store(client).claim(users + users, asked: .now).isEmpty) }
      #expect(try await rows(client) == users.count)
      let texts = try await store(client).texts(of: users.map { UserID($0.uuid) })
      for user in users { #expect(user.isSpelled(texts[UserID(user.uuid)]), "\(user)") }
    }
  }

  @Test func `of UUIDs of other versions nothing is stored, and the database is not asked`() async throws {
    let nowhere = PostgresConfiguration(url: "postgresql://nobody@127.0.0.1:1/none", connections: 1)
    let store = store(PostgresClient(configuration: nowhere, logger: log.logger))
    let users = try [1, 2, 3, 4, 6, 7, 8].map { version in
      try #require(UserIdentifier("6f1c2b7e-3d4a-\(version)e5f-8a9b-0c1d2e3f4a5b"))
    }
    #expect(try await store.claim(users, asked: .now).isEmpty)
    #expect(try await store.check(users).isEmpty)
    #expect(try await store.texts(of: users.map { UserID($0.uuid) })[UserID(users[0].uuid)] == users[0].description)
  }

  @Test func `whichever of a text and its UUID is stored first has it; the other is refused and logged`() async throws {
    for isTextFirst in [true, false] {
      try await TestDatabase.with { client in
        let bob = try #require(UserIdentifier("bob"))
        let literal = UserIdentifier(bob.uuid)
        let (first, second) = isTextFirst ? (bob, literal) : (literal, bob)
        #expect(try await store(client).claim([first], asked: .now).isEmpty)
        let other = store(client)
        // Twice: read from the database, and remembered.
        for _ in 0..<2 {
          #expect(try await other.claim([second, first], asked: .now) == [second])
          #expect(try await other.check([first, second]) == [second])
        }
        #expect(try await other.text(of: UserID(bob.uuid)) == first.description)
        #expect(log.all.contains { $0.text.contains("a user id is refused") })
      }
    }
  }

  @Test func `of two in one claim that come to one UUID the first has it`() async throws {
    try await TestDatabase.with { client in
      let bob = try #require(UserIdentifier("bob"))
      #expect(
        try await store(client).claim([bob, UserIdentifier(bob.uuid)], asked: .now) == [UserIdentifier(bob.uuid)]
      )
    }
  }

  @Test func `a long list is stored in parts, and of many that are refused a few are logged`() async throws {
    try await TestDatabase.with { client in
      let count = UserIdentifierStore.part + 100
      let users = try (0..<count).map { try #require(UserIdentifier("user \($0)")) }
      #expect(try await store(client).claim(users, asked: .now).isEmpty)
      #expect(try await rows(client) == count)
      let literals = users.suffix(200).map { UserIdentifier($0.uuid) }
      #expect(try await store(client).claim(users + literals, asked: .now) == Set(literals))
      let lines = log.all.filter { $0.text.contains("refused") }
      #expect(lines.count == UserIdentifierStore.logged + 1)
    }
  }

  @Test func `a long list does not make a process forget the others`() async throws {
    try await TestDatabase.with { client in
      let store = store(client, capacity: 1_000)
      let ann = try identifiers("ann")
      _ = try await store.claim(ann, asked: .now)
      let users = try (0...UserIdentifierStore.part).map { try #require(UserIdentifier("user \($0)")) }
      _ = try await store.claim(users, asked: .now)
      // Whoever asked the database would be refused.
      _ = try await client.query("UPDATE user_identifiers SET identifier = 'another' WHERE identifier = 'ann'")
      #expect(try await store.check(ann).isEmpty)
    }
  }

  @Test func `of many who claim at once one has it`() async throws {
    try await TestDatabase.with { client in
      let bob = try #require(UserIdentifier("bob"))
      let others = try (0..<50).map { try #require(UserIdentifier("user \($0)")) }
      let refusals = try await withThrowingTaskGroup(of: Set<UserIdentifier>.self) { group in
        for number in 0..<16 {
          let one = number.isMultiple(of: 2) ? bob : UserIdentifier(bob.uuid)
          let claim = number.isMultiple(of: 3) ? [one] + others : others.reversed() + [one]
          group.addTask { try await store(client).claim(claim, asked: .now) }
        }
        return try await group.reduce(into: [Set<UserIdentifier>]()) { $0.append($1) }
      }
      #expect(Set(refusals.flatMap(\.self)).count == 1)
      #expect(refusals.count { !$0.isEmpty } == 8)
      #expect(try await rows(client) == 51)
    }
  }

  @Test func `what is remembered is not asked for again, and looking up stores nothing`() async throws {
    try await TestDatabase.with { client in
      let store = store(client)
      let (ann, ben) = (try identifiers("ann"), try identifiers("ben"))
      #expect(try await store.check(ben).isEmpty)
      #expect(try await rows(client) == 0)
      _ = try await store.claim(ann, asked: .now)
      _ = try await client.query("UPDATE user_identifiers SET identifier = 'another'")
      #expect(try await store.claim(ann, asked: .now).isEmpty)
      #expect(try await self.store(client).claim(ann, asked: .now) == Set(ann))
    }
  }

  @Test func `an erasure takes the text, and what was asked for before does not bring it back`() async throws {
    try await TestDatabase.with { client in
      let kaethe = try #require(UserIdentifier("shop/Käthe 7"))
      let user = UserID(kaethe.uuid)
      let before = try await client.value("SELECT now() - interval '1 second'", as: Date.self)
      let audit = AuditStore(client: client)
      for actor in ["shop/Käthe 7", "shop/käthe 7"] {
        try await audit.write(actor: actor, action: "user.export", subject: user.description)
      }
      _ = try await store(client).claim([kaethe], asked: before)
      let counts = try await ErasureStore(client: client).erase(user, by: "shop/Käthe 7", requestID: "of shop/Käthe 7")
      #expect(counts.deleted["user_identifiers"] == 1)
      #expect(try await rows(client) == 0)
      let entries = try await audit.page(before: nil, limit: 9).entries
      #expect(Set(entries.map(\.actor)) == ["self", "erased", "shop/käthe 7"])
      #expect(entries.allSatisfy { $0.requestID == nil && $0.subject == nil })
      #expect(try await store(client).claim([kaethe], asked: before).isEmpty)
      #expect(try await rows(client) == 0)
      let after = try await client.value("SELECT now() + interval '1 second'", as: Date.self)
      #expect(try await store(client).claim([kaethe], asked: after).isEmpty)
      #expect(try await rows(client) == 1)
    }
  }

  @Test func `who was erased by another process and comes back is stored again, and her UUID alone never is`()
    async throws
  {
    try await TestDatabase.with { client in
      let ann = try #require(UserIdentifier("ann"))
      let (user, literal) = (UserID(ann.uuid), UserIdentifier(ann.uuid))
      // It takes nothing for stored that it saw a moment ago.
      let store = store(client, freshness: .zero)
      for _ in 0..<2 {
        #expect(try await store.claim([ann], asked: .now + 60).isEmpty)
        #expect(try await rows(client) == 1)
        _ = try await ErasureStore(client: client).erase(user, by: nil)
        // An answer of between had the UUID, and is put back.
        #expect(try await self.store(client).claim([literal], asked: .now + 60).isEmpty)
        #expect(try await rows(client) == 0)
      }
      #expect(try await store.claim([ann], asked: .now + 60).isEmpty)
      #expect(try await self.store(client).claim([literal], asked: .now + 60) == [literal])
    }
  }

  @Test func `an export says what its user is called`() async throws {
    try await TestDatabase.with { client in
      let odd = try #require(UserIdentifier(#"a "b" \c"#))
      _ = try await store(client).claim([odd], asked: .now)
      #expect(try await ExportedUser(UserID(odd.uuid), client).json["userId"]?.string == #"a "b" \c"#)
    }
  }

  @Test func `a schedule that has UUIDs for texts is found by an erasure`() async throws {
    try await TestDatabase.with { client in
      let (ann, ben) = (try #require(UserIdentifier("ann")), try #require(UserIdentifier("ben")))
      try await EveryTable.schedule(key: "k", users: [UserID(ann.uuid), UserID(ben.uuid)], client)
      let counts = try await ErasureStore(client: client).erase(UserID(ann.uuid), by: nil)
      #expect(counts.schedulesRewritten == 1)
    }
  }

  @Test func `texts are found along the primary key, however many there are`() async throws {
    try await TestDatabase.with { client in
      _ = try await client.query(
        "INSERT INTO user_identifiers SELECT gen_random_uuid(), 'user ' || n FROM generate_series(1, 20000) n"
      )
      _ = try await client.query("ANALYZE user_identifiers")
      let some: SQLQuery =
        "SELECT string_agg(user_id::text, ',') FROM (SELECT user_id FROM user_identifiers LIMIT 10) u"
      let ids = try await client.value(some, as: String.self)
      let plan = try await QueryPlan.of(
        UserIdentifierStore.reading([]),
        planned: .alongIndexes,
        types: ["uuid[]"],
        arguments: ["'{\(ids)}'"],
        isGeneric: false,
        client
      )
      #expect(plan.nodes.compactMap(\.index).contains("user_identifiers_pkey"), "\(plan)")
    }
  }
}
