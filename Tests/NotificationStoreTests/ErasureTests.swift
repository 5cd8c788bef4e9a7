import Foundation
import BelfryJSON
import NotificationModel
import Postgres
import TestSupport
import Testing

@testable import NotificationStore

/// What is left of a user who was erased, and what may come after that.
@Suite struct ErasureTests {
  /// Tables that keep nothing of a user but the mark.
  private static let marks: Set<String> = ["erased_users"]

  @Test func `of an erased user no table keeps anything but the mark, and others lose nothing`() async throws {
    try await TestDatabase.with { client in
      let (ann, ben) = (Sample.user(), Sample.user())
      for user in [ann, ben] { try await EveryTable.fill(user, client) }
      let tables = try await EveryTable.names(client).filter { !Self.marks.contains($0) }
      #expect(Set(tables) == Set(ErasureStore.tables + ["schedule_users"]), "a table with users that nobody erases")
      for table in tables {
        #expect(try await EveryTable.rows(of: ann, in: table, client) > 0, "\(table) is not filled")
      }
      var before: [String: Int] = [:]
      for table in tables { before[table] = try await EveryTable.rows(of: ben, in: table, client) }
      let counts = try await ErasureStore(client: client).erase(ann, by: "ops", requestID: "r-1")
      for table in tables {
        #expect(try await EveryTable.rows(of: ann, in: table, client) == 0, "\(table)")
        #expect(try await EveryTable.rows(of: ben, in: table, client) == before[table], "\(table)")
      }
      #expect(Set(counts.deleted.keys) == Set(ErasureStore.tables + ["schedules"]))
      #expect(try await ErasureStore(client: client).erased(since: nil).marks.map(\.user) == [ann])
      #expect(try await client.miscounted() == [])
    }
  }

  @Test func `the audit log says that somebody was erased, by whom and how much, and not who`() async throws {
    try await TestDatabase.with { client in
      let ann = Sample.user()
      try await EveryTable.fill(ann, client)
      let audit = AuditStore(client: client)
      // A client names its requests as it likes.
      let named = "export-\(ann.description.uppercased())"
      try await audit.write(actor: "ops", action: "user.export", subject: ann.description, requestID: named)
      _ = try await ErasureStore(client: client).erase(ann, by: "ops", requestID: "r-1")
      let entries = try await audit.page(before: nil, limit: 10).entries
      #expect(entries.map(\.action) == ["user.erase", "user.export"])
      #expect(entries.allSatisfy { $0.subject == nil && $0.actor == "ops" })
      #expect(entries[0].detail?["notifications"]?.integer == 1)
      #expect(entries[0].requestID == "r-1")
      _ = try await ErasureStore(client: client).erase(ann, by: "ops", requestID: "erase-\(ann)")
      let text: String = try await client.value("SELECT lower(string_agg(a::text, '')) FROM audit a")
      #expect(!text.contains(ann.description))
    }
  }

  @Test(arguments: [true, false])
  func `who erases themselves is in the audit log neither with that nor with what they did, nor with their keys`(
    isCapital: Bool
  ) async throws {
    try await TestDatabase.with { client in
      let (ann, ben) = (Sample.user(), Sample.user())
      let name = isCapital ? ann.description.uppercased() : ann.description
      let audit = AuditStore(client: client)
      let keys = APIKeyStore(client: client)
      for (number, actor) in [name, ben.description].enumerated() {
        try await audit.write(actor: actor, action: "user.export", subject: "\(number)")
        let key = APIKeyStore.Key(id: APIKeyID(UUID()), name: "of \(number)", scopes: ["send"], createdAt: .now)
        try await keys.create(key, hash: [UInt8(number)], by: actor)
        let versions = CatalogueVersionStore(client: client)
        _ = try await versions.apply("types: []", changes: [], by: actor, expecting: number, at: .now)
      }
      _ = try await ErasureStore(client: client).erase(ann, by: name)
      let entries = try await audit.page(before: nil, limit: 9).entries
      let doers = [ben.description, ben.description, ben.description, "erased", "erased", "erased"]
      #expect(entries.map(\.actor) == ["self"] + doers)
      #expect(entries.first?.action == "user.erase")
      let makers: [String] = try await client.column("SELECT created_by FROM api_keys ORDER BY name")
      #expect(makers == ["erased", ben.description])
      let versions = try await CatalogueVersionStore(client: client).versions(after: nil, limit: 9)
      #expect(versions.map(\.appliedBy) == [ben.description, "erased"])
      for table in ["audit", "api_keys", "catalogue_versions"] {
        let text: String = try await client.value("SELECT lower(string_agg(t::text, '')) FROM \(unescaped: table) t")
        #expect(!text.contains(ann.description), "\(table)")
        #expect(text.contains(ben.description), "\(table)")
      }
    }
  }

  @Test func `with a user goes what is kept of the user's addresses, in the audit log too, and no other's`()
    async throws
  {
    try await TestDatabase.with { client in
      let (ann, ben) = (Sample.user(), Sample.user())
      let suppressions = SuppressionStore(client: client)
      _ = try await UserStore(client: client).put(.sample(email: "Ann@EXAMPLE.org"), of: ann)
      func refuse(_ address: String, _ code: String, _ user: UserID?) async throws {
        try await suppressions.record([
          SuppressionEvidence(
            address: address,
            kind: .permanent(code),
            source: "smtp",
            at: .now,
            deliveryOf: user.map { ($0, Sample.notification($0).id) }
          )
        ])
      }
      // Of today's address, by whoever's mail, and of a former one.
      try await refuse("Ann@example.org", "5.1.1", nil)
      try await refuse("Ann@example.org", "5.2.1", ben)
      try await refuse("former@example.org", "5.1.1", ann)
      try await refuse("ben@example.org", "5.1.1", ben)
      try await refuse("ben@example.org", "5.2.1", nil)
      for address in ["Ann@example.org", "ben@example.org"] {
        _ = try await suppressions.add(address, by: "ops")
        try await suppressions.remove("nobody@example.org", by: "ops")
      }
      let counts = try await ErasureStore(client: client).erase(ann, by: "ops")
      #expect(counts.deleted["suppressions"] == 3 && counts.deleted["soft_bounces"] == 1)
      let left = try await suppressions.list(limit: 9).suppressions
      #expect(left.map(\.address) == ["ben@example.org", "ben@example.org"])
      for table in ["suppressions", "soft_bounces", "audit"] {
        let text: String = try await client.value("SELECT lower(string_agg(t::text, '')) FROM \(unescaped: table) t")
        #expect(!text.contains("ann@") && !text.contains("former@") && text.contains("ben@"), "\(table)")
      }
    }
  }

  @Test func `what is kept of an address that somebody else has, too, outlives the user, and does not name them`()
    async throws
  {
    try await TestDatabase.with { client in
      let (ann, ben) = (Sample.user(), Sample.user())
      let (suppressions, users) = (SuppressionStore(client: client), UserStore(client: client))
      _ = try await users.put(.sample(email: "family@example.org"), of: ann)
      _ = try await users.put(.sample(email: "family@EXAMPLE.org"), of: ben)
      for (kind, user) in [
        (SuppressionEvidence.Kind.complaint, ann), (.permanent("5.1.1"), ben), (.permanent("5.2.1"), ann),
      ] {
        try await suppressions.record([
          SuppressionEvidence(
            address: "family@example.org",
            kind: kind,
            source: "dsn",
            diagnostic: "Ann's words",
            at: .now,
            deliveryOf: (user, Sample.notification(user).id)
          )
        ])
      }
      _ = try await suppressions.add("family@example.org", by: "ops")
      let counts = try await ErasureStore(client: client).erase(ann, by: "ops")
      #expect(counts.deleted["suppressions"] == nil && counts.deleted["soft_bounces"] == nil)
      let left = try await suppressions.list(limit: 9).suppressions
      #expect(Set(left.map(\.reason)) == [.hardBounce, .complaint, .manual])
      #expect(left.allSatisfy { $0.user != ann })
      #expect(left.first { $0.reason == .complaint }?.diagnostic == nil)
      #expect(try await suppressions.suppression(of: ben)?.reason == .hardBounce)
      let owners: SQLQuery = "SELECT count(*) FROM soft_bounces WHERE user_id IS NULL"
      #expect(try await client.value(owners, as: Int.self) == 1)
      let added: SQLQuery = "SELECT count(*) FROM audit WHERE subject = 'family@example.org'"
      #expect(try await client.value(added, as: Int.self) == 1)
      // The last who has it takes all of it along.
      #expect(try await ErasureStore(client: client).erase(ben, by: "ops").deleted["suppressions"] == 3)
      #expect(try await suppressions.list(limit: 9).suppressions.isEmpty)
      #expect(try await client.value(added, as: Int.self) == 0)
    }
  }

  @Test func `what is said of an erased user's mail afterwards is not kept`() async throws {
    try await TestDatabase.with { client in
      let (ann, ben) = (Sample.user(), Sample.user())
      let ids = [Sample.notification(ann).id, Sample.notification(ben).id]
      _ = try await ErasureStore(client: client).erase(ann, by: nil)
      let suppressions = SuppressionStore(client: client)
      for code in ["5.1.1", "5.2.2"] {
        try await suppressions.record(
          zip([ann, ben], ids).map { user, id in
            SuppressionEvidence(
              address: "\(user)@example.org",
              kind: .permanent(code),
              source: "dsn",
              at: .now,
              deliveryOf: (user, id)
            )
          }
        )
      }
      #expect(try await suppressions.list(limit: 9).suppressions.map(\.user) == [ben])
      #expect(try await client.column("SELECT user_id FROM soft_bounces", as: UserID.self) == [ben])
    }
  }

  // MARK: What comes afterwards

  @Test func `what was accepted before the erasure is not stored, what comes later is, and each has its own answer`()
    async throws
  {
    try await TestDatabase.with { client in
      let store = NotificationStore(client: client)
      let (ann, ben) = (Sample.user(), Sample.user())
      _ = try await ErasureStore(client: client).erase(ann, by: nil)
      let erasedAt = try #require(try await ErasureStore(client: client).erased(since: nil).marks.first).erasedAt
      let contents = [try Sample.content(at: erasedAt - 10), try Sample.content(at: erasedAt + 10)]
      let old = Sample.notification(ann)
      let others = Sample.notification(ben)
      let both = try await store.store([old, others], contents: contents)
      #expect(both.map(\.isErased) == [true, false])
      #expect(both.map(\.isNew) == [false, true])
      #expect(both[1].seq == 1 && both[1].former == nil)
      #expect(try await EveryTable.rows(of: ann, in: "inbox", client) == 0, "an inbox for nothing")
      let new = Sample.notification(ann, content: 1)
      let mixed = try await store.store([old, new, others], contents: contents)
      #expect(mixed.map(\.isErased) == [true, false, false])
      #expect(mixed.map(\.isNew) == [false, true, false])
      #expect(abs(mixed[1].seq - Int(erasedAt.timeIntervalSince1970 * 1_000)) <= 2 && mixed[1].unread == 1)
      #expect(mixed[2].former != nil)
      #expect(try await store.store([old], contents: contents).map(\.isErased) == [true])
      #expect(try await client.column("SELECT id FROM notifications WHERE user_id = \(ann)") == [new.id])
      #expect(try await client.miscounted().isEmpty)
    }
  }

  @Test func `the inbox of who was erased goes on beyond what it had, and says that what was is not remembered`()
    async throws
  {
    try await TestDatabase.with { client in
      let (store, inbox) = (NotificationStore(client: client), InboxStore(client: client))
      let ann = Sample.user()
      func send(at time: Date) async throws -> Int {
        try await store.store([Sample.notification(ann)], contents: [try Sample.content(at: time)])[0].seq
      }
      var last = try await send(at: .now)
      _ = try await inbox.apply(.read, to: nil, of: ann, at: .now)
      let before = try await inbox.changes(of: ann, after: last, change: 0)
      #expect(before.isComplete && before.change == 1)
      for _ in 0..<2 {
        _ = try await ErasureStore(client: client).erase(ann, by: nil)
        let seqs = [try await send(at: .now + 10), try await send(at: .now + 10)]
        #expect(seqs[0] > last && seqs[1] == seqs[0] + 1)
        #expect(try await inbox.newcomers(of: ann, after: last, limit: 9).items.map(\.seq) == seqs)
        #expect(try await !inbox.changes(of: ann, after: last, change: before.change).isComplete)
        #expect(try await inbox.changes(of: ann, after: seqs[0], change: nil).isComplete)
        last = seqs[1]
      }
    }
  }

  /// What a router finds if an inbox is erased after it has made sure of it and before it locks it, and another router makes a
  /// new one, or not yet.
  @Test func `into an inbox that is not there or not locked nothing is stored, and each has its answer`() async throws {
    try await TestDatabase.with { client in
      let users = Sample.users(3)
      let notifications = users.map { Sample.notification($0) }
      let content = try Sample.content()
      _ = try await client.query("INSERT INTO inbox (user_id) VALUES (\(users[0])), (\(users[1]))")
      let rows = try await client.query(
        NotificationStore.insert(notifications, [content]),
        after: ["SELECT 1 FROM inbox WHERE user_id = \(users[1]) FOR UPDATE"],
        planned: .alongIndexes
      )
      #expect(try rows.map { try $0.get(0, as: Int.self) } == [3, 1, 3])
      #expect(try await client.column("SELECT user_id FROM notifications") == [users[1]])
      // The whole call makes and locks them.
      let stored = try await NotificationStore(client: client).store(notifications, contents: [content])
      #expect(stored.map(\.isNew) == [true, false, true])
      #expect(stored.map(\.seq) == [1, 1, 1])
      #expect(try await client.miscounted().isEmpty)
    }
  }

  @Test func `an outcome of what was sent before the erasure is not recorded, a later one is`() async throws {
    try await TestDatabase.with { client in
      let deliveries = DeliveryStore(client: client)
      let (ann, ben) = (Sample.user(), Sample.user())
      let old = Sample.notification(ann, request: RequestID(now: .now - 1))
      _ = try await ErasureStore(client: client).erase(ann, by: nil)
      let new = Sample.notification(ann, request: RequestID(now: .now + 5))
      let others = Sample.notification(ben, request: RequestID(now: .now - 1))
      try await deliveries.record([EveryTable.record(old), EveryTable.record(new), EveryTable.record(others)])
      let written: [NotificationID] = try await client.column("SELECT notification_id FROM deliveries")
      #expect(Set(written) == [new.id, others.id])
    }
  }

  @Test func `whatever is stored and recorded at the same time, nothing from before is left`() async throws {
    try await TestDatabase.with(connections: 6) { client in
      let (ann, ben) = (Sample.user(), Sample.user())
      // All of it is from before, whenever it comes to be written.
      let content = try Sample.content(at: .now - 60)
      let calls = (0..<60).map { number in
        [ann, ben].map { Sample.notification($0, request: RequestID(now: .now - 60 - Double(number))) }
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (number, call) in calls.enumerated() {
          group.addTask {
            let stored = try await NotificationStore(client: client).store(call, contents: [content])
            #expect(stored.count == 2 && stored[1].isNew)
            try await DeliveryStore(client: client).record(call.map(EveryTable.record))
          }
          if number % 20 == 10 {
            group.addTask { _ = try await ErasureStore(client: client).erase(ann, by: nil) }
          }
        }
        try await group.waitForAll()
      }
      for table in ErasureStore.tables {
        #expect(try await EveryTable.rows(of: ann, in: table, client) == 0, "\(table)")
      }
      #expect(try await EveryTable.rows(of: ben, in: "notifications", client) == 60)
      #expect(try await EveryTable.rows(of: ben, in: "deliveries", client) == 60)
      #expect(try await client.miscounted().isEmpty)
    }
  }

  @Test func `what was held and claimed when its user was erased is nobody's any more`() async throws {
    try await TestDatabase.with { client in
      let ann = Sample.user()
      var notification = Sample.notification(ann)
      notification.plan[.push] = .hold(until: .now - 1, .paused)
      _ = try await NotificationStore(client: client).store([notification], contents: [try Sample.content()])
      let held = HeldStore(client: client)
      let claim = try await held.claim(types: [10], limit: 10, now: .now + 1, until: .now + 60)
      let entry = try #require(claim.entries.first)
      _ = try await ErasureStore(client: client).erase(ann, by: nil)
      let change = DecisionChange(
        id: notification.id,
        userID: ann,
        from: .hold(until: entry.due, entry.reason),
        to: .deliver
      )
      let settlement = HeldSettlement(changes: [.init(entry, change)], compositions: [], now: .now)
      let result = try await held.settle(settlement, of: claim)
      #expect(result.owned.isEmpty && result.changed.isEmpty)
      for table in ErasureStore.tables {
        #expect(try await EveryTable.rows(of: ann, in: table, client) == 0, "\(table)")
      }
    }
  }

  @Test func `marks and audit entries go after 400 days`() async throws {
    try await TestDatabase.with { client in
      let (ann, ben) = (Sample.user(), Sample.user())
      _ = try await client.query(
        """
        INSERT INTO erased_users (user_id, erased_at)
        VALUES (\(ann), now() - interval '401 days'), (\(ben), now() - interval '399 days')
        """
      )
      _ = try await client.query(
        """
        INSERT INTO audit (actor, action, at)
        VALUES ('old', 'a', now() - interval '401 days'), ('young', 'a', now() - interval '399 days')
        """
      )
      _ = try await MaintenanceStore(client: client)
        .run(retention: .seconds(90 * 86_400), keyLifetime: .seconds(86_400), staleDevice: .seconds(86_400))
      #expect(try await ErasureStore(client: client).erased(since: nil).marks.map(\.user) == [ben])
      #expect(try await client.column("SELECT actor FROM audit") == ["young"])
    }
  }
}
