import Foundation
import BelfryJSON
import NotificationModel
import Postgres
import TestSupport
import Testing
import UserIdentity
import WallClock

@testable import NotificationStore

/// What is being written, or on its way to be, while its user is erased.
@Suite(.timeLimit(.minutes(1))) struct ErasureWindowTests {
  private let today = LocalDate(dayNumber: 20_000)
  private let later = Date.now + 86_400

  private func definition(_ users: UserID...) -> String {
    #"{"to":{"users":[\#(users.map { "\"\($0)\"" }.joined(separator: ","))]},"type":10}"#
  }

  private func send(_ id: RequestID, _ users: UserID...) -> ScheduleStore.WaitingSend {
    let names = users.map { "\"\($0)\"" }.joined(separator: ",")
    let definition = #"{"to":{"users":[\#(names)]},"type":10}"#
    return .init(id: id, owner: .named("shop"), definition: definition, sendAt: later)
  }

  @Test func `what is being written when its user is erased goes with the rest, and nobody else waits`() async throws {
    try await TestDatabase.with(connections: 4) { client in
      let (ann, ben) = (Sample.user(), Sample.user())
      let notification = Sample.notification(ann)
      let erasures = ErasureStore(client: client)
      let erasing = try await client.withTransaction { transaction in
        // Each is seen by nobody until this transaction ends.
        _ = try await transaction.queries([
          GroupStore.adding([ann, ben], to: "team:1", asked: .now),
          """
          INSERT INTO devices (user_id, id, token, platform, last_used_at)
          VALUES (\(ann), gen_random_uuid(), 'token', 1, now())
          """,
          ScheduleStore.storing([send(RequestID(now: .now), ann)], now: .now, isWhole: true),
          DeliveryStore.recording([EveryTable.record(notification)], .init(of: [notification.id])),
        ])
        let erasing = Task { try await erasures.erase(ann, by: nil) }
        try await eventually("ann is marked") { try await !erasures.erased(since: nil).marks.isEmpty }
        #expect(try await GroupStore(client: client).add([ben], to: "team:2") == 1)
        _ = try await DeviceStore(client: client).register(.sample("other"), of: ben)
        return erasing
      }
      let counts = try await erasing.value
      #expect(counts.deleted == ["group_members": 1, "devices": 1, "schedules": 1, "deliveries": 1, "inbox": 1])
      for table in ["group_members", "devices", "schedule_users", "deliveries"] {
        #expect(try await EveryTable.rows(of: ann, in: table, client) == 0, "\(table)")
      }
      #expect(try await GroupStore(client: client).members(of: "team:1", limit: 9) == [ben])
    }
  }

  @Test func `a text that is being stored when its user is erased goes with the rest`() async throws {
    try await TestDatabase.with(connections: 4) { client in
      let (ann, ben) = (try #require(UserIdentifier("ann@example.com")), try #require(UserIdentifier("ben")))
      let erasures = ErasureStore(client: client)
      let erasing = try await client.withTransaction { transaction in
        _ = try await transaction.query(UserIdentifierStore.inserting([(ann, .now), (ben, .now)]))
        let erasing = Task { try await erasures.erase(UserID(ann.uuid), by: nil) }
        try await eventually("ann is marked") { try await !erasures.erased(since: nil).marks.isEmpty }
        return erasing
      }
      #expect(try await erasing.value.deleted == ["user_identifiers": 1, "inbox": 1])
      let texts = try await client.query("SELECT identifier FROM user_identifiers").map {
        try $0.get(0, as: String.self)
      }
      #expect(texts == ["ben"])
    }
  }

  @Test func `what is stored while an erasure waits goes too, with its outcomes, and no seq of it comes again`()
    async throws
  {
    try await TestDatabase.with(connections: 4) { client in
      let (ann, ben) = (Sample.user(), Sample.user())
      let (store, erasures) = (NotificationStore(client: client), ErasureStore(client: client))
      let meanwhile = Sample.notification(ann)
      let (erasing, seq) = try await client.withTransaction { transaction in
        _ = try await transaction.query(GroupStore.adding([ben], to: "team:1", asked: .now))
        let erasing = Task { try await erasures.erase(ann, by: nil) }
        try await eventually("ann is marked") { try await !erasures.erased(since: nil).marks.isEmpty }
        let accepted = try await erasures.erased(since: nil).at
        let stored = try await store.store([meanwhile], contents: [try Sample.content(at: accepted)])
        #expect(stored.map(\.isNew) == [true])
        return (erasing, stored[0].seq)
      }
      _ = try await erasing.value
      try await DeliveryStore(client: client).record([EveryTable.record(meanwhile)])
      for table in ["notifications", "deliveries"] {
        #expect(try await EveryTable.rows(of: ann, in: table, client) == 0, "\(table)")
      }
      let accepted = try await erasures.erased(since: nil).at
      let later = try await store.store([Sample.notification(ann)], contents: [try Sample.content(at: accepted)])
      #expect(later.map(\.isNew) == [true] && later[0].seq > seq)
    }
  }

  @Test func `of two users of one address who are erased at once the later one takes what is kept of it`() async throws
  {
    try await TestDatabase.with(connections: 6) { client in
      let (ann, ben) = (Sample.user(), Sample.user())
      let erasures = ErasureStore(client: client)
      for user in [ann, ben] {
        _ = try await UserStore(client: client).put(.sample(email: "family@example.org"), of: user)
      }
      _ = try await SuppressionStore(client: client).add("family@example.org", by: "ops")
      let (ofAnn, ofBen) = try await client.withTransaction { row in
        // Ann's erasure comes to her profile, ben's no further than to his own lock: neither counts as a writer for the other.
        _ = try await row.query("SELECT 1 FROM users WHERE user_id = \(ann) FOR UPDATE")
        let erasing = try await client.withTransaction { lock in
          _ = try await lock.query(UserLock.take(ben))
          let ofBen = Task { try await erasures.erase(ben, by: nil) }
          try await untilSomebodyWaits(for: lock)
          let ofAnn = Task { try await erasures.erase(ann, by: nil) }
          try await untilSomebodyWaits(for: row)
          return (ofAnn, ofBen)
        }
        let isOver: SQLQuery = """
          SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
              AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
            OR NOT EXISTS (SELECT FROM users WHERE user_id = \(ben))
          """
        try await eventually("ben's erasure waits for ann's, or is over") {
          try await client.value(isOver, as: Bool.self)
        }
        return erasing
      }
      #expect(try await ofAnn.value.deleted["suppressions"] == nil)
      #expect(try await ofBen.value.deleted["suppressions"] == 1)
      #expect(try await SuppressionStore(client: client).list(limit: 9).suppressions.isEmpty)
    }
  }

  @Test func `who writes for too long is named, the mark stays, and a later call erases`() async throws {
    try await TestDatabase.with(connections: 3) { client in
      let (ann, ben) = (Sample.user(), Sample.user())
      let erasures = ErasureStore(client: client, patience: .milliseconds(50))
      _ = try await GroupStore(client: client).add([ann], to: "team:1")
      try await client.withTransaction { transaction in
        _ = try await transaction.query(GroupStore.adding([ben], to: "team:2", asked: .now))
        await #expect(throws: ErasureError.stillWritten) { try await erasures.erase(ann, by: nil) }
        #expect(try await erasures.erased(since: nil).marks.map(\.user) == [ann])
        #expect(try await EveryTable.rows(of: ann, in: "group_members", client) == 1)
      }
      #expect(try await erasures.erase(ann, by: nil).deleted["group_members"] == 1)
    }
  }

  @Test func `a list of members that was on its way makes nobody a member again, and a later one does`() async throws {
    try await TestDatabase.with(connections: 4) { client in
      let groups = GroupStore(client: client)
      let (ann, ben) = (Sample.user(), Sample.user())
      let people = [ann, ben] + Sample.users(20)
      _ = try await groups.add([ann], to: "team:1")
      let asked = Date.now
      // The call waits for whoever changes the group, from before the erasure until after it.
      let replacing = try await client.withTransaction { transaction in
        _ = try await transaction.query(GroupStore.lock("team:1"))
        let replacing = Task { try await groups.replace("team:1", members: people, asked: asked) }
        try await untilSomebodyWaits(for: transaction)
        _ = try await ErasureStore(client: client).erase(ann, by: nil)
        return replacing
      }
      try await replacing.value
      #expect(try await groups.page(of: "team:1", limit: 99)?.members == people.filter { $0 != ann }.sorted())
      #expect(try await groups.add([ann], to: "team:1", asked: asked) == 21)
      #expect(try await groups.add([ann], to: "team:1") == 22)
    }
  }

  @Test func `nothing that was asked for before an erasure is written after it`() async throws {
    try await TestDatabase.with { client in
      let ann = Sample.user()
      let asked = Date.now
      _ = try await ErasureStore(client: client).erase(ann, by: nil)
      let entity = try #require(RelatedEntity(type: "Goal", id: "7"))
      func ask(at time: Date) async throws -> [Bool] {
        var written: [Bool] = []
        for call in [
          { _ = try await DeviceStore(client: client).register(.sample("token"), of: ann, asked: time) },
          { _ = try await UserStore(client: client).put(.sample(), of: ann, at: time) },
          { _ = try await MuteStore(client: client).mute(entity, of: ann, until: nil, at: time) },
          {
            _ = try await SettingsStore(client: client).change(of: ann, in: Sample.types(), at: time) {
              $0.pausedUntil = later
            }
          },
        ] as [() async throws -> Void] {
          do {
            try await call()
            written.append(true)
          } catch ErasureError.erasedMeanwhile {
            written.append(false)
          }
        }
        return written
      }
      #expect(try await ask(at: asked) == [false, false, false, false])
      for table in ErasureStore.tables {
        #expect(try await EveryTable.rows(of: ann, in: table, client) == 0, "\(table)")
      }
      #expect(try await ask(at: .now) == [true, true, true, true])
    }
  }

  @Test func `a schedule that was on its way goes on without who was erased meanwhile, or is not kept`() async throws {
    try await TestDatabase.with { client in
      let store = ScheduleStore(client: client)
      let (ann, ben) = (Sample.user(), Sample.user())
      let asked = Date.now
      _ = try await ErasureStore(client: client).erase(ann, by: nil)
      func put(_ key: String, _ definition: String, at time: Date) async throws {
        _ = try await store.put(key, of: "shop", definition: definition, startsOn: today, limit: 9, now: time)
      }
      try await put("both", definition(ann, ben), at: asked)
      try await put("about", #"{"to":{"users":["\#(ben)"]},"type":10,"data":{"about":"\#(ann)"}}"#, at: asked)
      try await put("later", definition(ann), at: .now)
      await #expect(throws: ErasureError.erasedMeanwhile) { try await put("alone", definition(ann), at: asked) }
      #expect(try await store.entry("both", of: "shop")?.definition == definition(ben))
      #expect(try await store.entry("about", of: "shop")?.definition.contains(ann.description) == true)
      #expect(try await store.entry("later", of: "shop")?.definition == definition(ann))
      #expect(try await store.entry("alone", of: "shop") == nil)
    }
  }

  @Test func `a send that waits was accepted when its id says, and one from the future by now`() async throws {
    try await TestDatabase.with { client in
      let store = ScheduleStore(client: client)
      let (ann, ben) = (Sample.user(), Sample.user())
      let asked = Date.now
      _ = try await ErasureStore(client: client).erase(ann, by: nil)
      let sends = [
        send(RequestID(now: asked - 1), ann, ben), send(RequestID(now: asked - 2), ann),
        send(RequestID(now: .now + 1_800), ann, ben), send(RequestID(now: .now + 1), ann),
        send(RequestID(now: asked - 3), ben),
      ]
      for _ in 0..<2 {
        try await store.store(Array(sends.prefix(3)), now: asked)
        try await store.store(Array(sends.suffix(2)), now: .now + 2)
      }
      let stored = try await client.query("SELECT id, definition FROM schedules").map { row in
        (try row.get("id", as: RequestID.self), try row.get("definition", as: String.self))
      }
      #expect(
        Dictionary(uniqueKeysWithValues: stored) == [
          sends[0].id: definition(ben), sends[2].id: definition(ben), sends[3].id: definition(ann),
          sends[4].id: definition(ben),
        ]
      )
    }
  }

  @Test func `an outcome is dropped by when its notification is dated, whatever its id says`() async throws {
    try await TestDatabase.with { client in
      let ann = Sample.user()
      _ = try await ErasureStore(client: client).erase(ann, by: nil)
      let future = Sample.notification(ann, request: RequestID(now: .now + 1_800))
      let scheduled = Sample.notification(ann, request: RequestID(now: .now - 3_600))
      var (before, after) = (EveryTable.record(future), EveryTable.record(scheduled))
      (before.createdAt, after.createdAt) = (.now - 60, .now + 1)
      try await DeliveryStore(client: client).record([before, after])
      #expect(try await client.column("SELECT notification_id FROM deliveries") == [scheduled.id])
    }
  }

  @Test func `an erasure is dated by the database, and a look says when it was`() async throws {
    try await TestDatabase.with { client in
      let erasures = ErasureStore(client: client)
      let before: Date = try await client.value("SELECT clock_timestamp()")
      _ = try await erasures.erase(Sample.user(), by: nil)
      let look = try await erasures.erased(since: nil)
      let after: Date = try await client.value("SELECT clock_timestamp()")
      let mark = try #require(look.marks.first)
      #expect(before <= mark.erasedAt && mark.erasedAt <= look.at && look.at <= after)
      #expect(try await erasures.erased(since: look.at).marks.isEmpty)
    }
  }
}
