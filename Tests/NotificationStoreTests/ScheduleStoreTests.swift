import Foundation
import NotificationModel
import Postgres
import TestSupport
import Testing
import WallClock

@testable import NotificationStore

/// What waits, who claims it, and how it is withdrawn.
struct ScheduleStoreTests {
  private let now = Date(timeIntervalSince1970: 1_800_000_000)
  private let today = LocalDate("2027-01-15")!

  private func send(_ store: ScheduleStore, at: Date, owner: RequestOwner = .named("shop")) async throws -> RequestID {
    let id = RequestID(now: now)
    let send = ScheduleStore.WaitingSend(id: id, owner: owner, definition: #"{"n":1}"#, sendAt: at)
    try await store.store([send], now: now)
    return id
  }

  private func put(
    _ store: ScheduleStore,
    _ key: String,
    _ definition: String = "{}",
    owner: String = "shop",
    expecting: ScheduleStore.Expectation = .anything,
    limit: Int = 100,
    now: Date? = nil
  ) async throws -> ScheduleStore.Change {
    try await store.put(
      key,
      of: owner,
      definition: definition,
      startsOn: today,
      expecting: expecting,
      limit: limit,
      now: now ?? self.now
    )
  }

  @Test func `a send that waits remembers by which version of the catalogue it was accepted`() async throws {
    try await TestDatabase.with { client in
      let store = ScheduleStore(client: client)
      let sends = [nil, 0, 7].map { number in
        ScheduleStore.WaitingSend(
          id: RequestID(now: now),
          owner: .named("shop"),
          definition: "{}",
          sendAt: now + 1,
          catalogueVersion: number
        )
      }
      try await store.store(sends, now: now)
      _ = try await put(store, "daily")
      let claims = try await store.claim(.sends, limit: 10, lease: 60, now: now + 2)
      #expect(
        Dictionary(uniqueKeysWithValues: claims.map { (RequestID($0.id), $0.catalogueVersion) }) == [
          sends[0].id: nil, sends[1].id: 0, sends[2].id: 7,
        ]
      )
    }
  }

  @Test func `a schedule is created once, kept where nothing changes, and counts its versions`() async throws {
    try await TestDatabase.with { client in
      let store = ScheduleStore(client: client)
      guard case .created(let first) = try await put(store, "bins") else {
        Issue.record("expected a new one")
        return
      }
      #expect(first.version.number == 1)
      #expect(first.startsOn == today)
      guard case .kept(let same) = try await put(store, "bins", now: now + 60) else {
        Issue.record("expected the same")
        return
      }
      #expect(same.version == first.version)
      #expect(same.updatedAt == now)
      guard case .kept(let other) = try await put(store, "bins", #"{"x":1}"#, now: now + 60) else {
        Issue.record("expected another version")
        return
      }
      #expect(other.version == .init(id: first.version.id, number: 2))
      #expect(other.createdAt == now)
      #expect(try await store.entry("bins", of: "shop")?.definition == #"{"x":1}"#)
      #expect(try await store.entry("bins", of: "bank") == nil)
    }
  }

  @Test func `whoever knows another version changes nothing`() async throws {
    try await TestDatabase.with { client in
      let store = ScheduleStore(client: client)
      func isConflict(_ change: ScheduleStore.Change) -> Bool {
        if case .conflict = change { true } else { false }
      }
      #expect(isConflict(try await put(store, "bins", expecting: .any)))
      let stranger = ScheduleStore.Version(id: UUID(), number: 1)
      #expect(isConflict(try await put(store, "bins", expecting: .versions([stranger]))))
      #expect(!isConflict(try await put(store, "bins", expecting: .none)))
      #expect(isConflict(try await put(store, "bins", expecting: .none)))
      let first = try #require(try await store.entry("bins", of: "shop")?.version)
      let second = ScheduleStore.Version(id: first.id, number: 2)
      #expect(isConflict(try await put(store, "bins", "[]", expecting: .versions([second, stranger]))))
      #expect(!isConflict(try await put(store, "bins", "[]", expecting: .versions([first, stranger]))))
      #expect(isConflict(try await store.delete("bins", of: "shop", expecting: .versions([first]))))
      guard case .missing = try await store.delete("bins", of: "bank") else {
        Issue.record("another's is not there")
        return
      }
      guard case .deleted = try await store.delete("bins", of: "shop", expecting: .versions([second])) else {
        Issue.record("expected it to go")
        return
      }
      #expect(try await store.entry("bins", of: "shop") == nil)
      // What comes after it begins at 1 again, and is another all the same.
      #expect(!isConflict(try await put(store, "bins")))
      #expect(try await store.entry("bins", of: "shop")?.version.number == 1)
      #expect(isConflict(try await put(store, "bins", "[]", expecting: .versions([first]))))
      #expect(isConflict(try await store.delete("bins", of: "shop", expecting: .versions([first]))))
    }
  }

  @Test func `an owner has no more than are allowed, others have their own`() async throws {
    try await TestDatabase.with(connections: 4) { client in
      let store = ScheduleStore(client: client)
      let changes = try await withThrowingTaskGroup { group in
        for index in 0..<8 { group.addTask { try await put(store, "key-\(index)", limit: 5) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      let full = changes.filter { if case .full = $0 { true } else { false } }
      #expect(full.count == 3)
      #expect(try await store.list(of: "shop", after: "", limit: 100).count == 5)
      guard case .created = try await put(store, "key", owner: "bank", limit: 5) else {
        Issue.record("another owner has room")
        return
      }
    }
  }

  private func created(_ changes: [ScheduleStore.Change]) -> Int {
    changes.count { if case .created = $0 { true } else { false } }
  }

  private func put(_ count: Int, _ prefix: String, _ store: ScheduleStore, limit: Int) async throws -> Int {
    let changes = try await withThrowingTaskGroup { group in
      for index in 0..<count { group.addTask { try await put(store, "\(prefix)-\(index)", limit: limit) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    return created(changes)
  }

  @Test func `of many at once each process creates a sixteenth more than is allowed at most`() async throws {
    try await TestDatabase.with(connections: 8) { client in
      let store = ScheduleStore(client: client)
      #expect((64...68).contains(try await put(100, "key", store, limit: 64)))
      let other = ScheduleStore(client: client)
      let more = try await put(10, "other", other, limit: 64)
      #expect(more == 0)
    }
    try await TestDatabase.with(connections: 8) { client in
      let stores = [ScheduleStore(client: client), ScheduleStore(client: client)]
      let total = try await withThrowingTaskGroup { group in
        for (index, store) in stores.enumerated() {
          group.addTask { try await put(100, "key-\(index)", store, limit: 64) }
        }
        return try await group.reduce(0, +)
      }
      #expect((64...72).contains(total))
    }
  }

  @Test func `who creates many does not wait for who is counted, and the same one is created once`() async throws {
    try await TestDatabase.with(connections: 6) { client in
      let store = ScheduleStore(client: client)
      #expect(created([try await put(store, "first")]) == 1)
      try await client.withTransaction { transaction in
        _ = try await transaction.query(ScheduleStore.lock("shop"))
        #expect(created([try await put(store, "second")]) == 1)
      }
      let same = try await withThrowingTaskGroup { group in
        for _ in 0..<8 { group.addTask { try await put(store, "third") } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(created(same) == 1)
      #expect(same.allSatisfy { if case .full = $0 { false } else { true } })
    }
  }

  @Test func `a count is good for a minute`() {
    let allowances = ScheduleAllowances()
    #expect(!allowances.take(of: "shop", now: now))
    allowances.grant("shop", room: 32, now: now)
    #expect(!allowances.take(of: "bank", now: now))
    #expect(allowances.take(of: "shop", now: now))
    #expect(!allowances.take(of: "shop", now: now + 60))
    #expect(allowances.take(of: "shop", now: now + 59))
    #expect(!allowances.take(of: "shop", now: now + 59))
    allowances.grant("shop", room: 1_000_000, now: now)
    #expect((0..<2_000).count { _ in allowances.take(of: "shop", now: now) } == ScheduleAllowances.most)
  }

  @Test func `schedules are listed page by page, without sends that wait`() async throws {
    try await TestDatabase.with { client in
      let store = ScheduleStore(client: client)
      for key in ["c", "a", "d", "b"] { _ = try await put(store, key) }
      _ = try await put(store, "aa", owner: "bank")
      _ = try await send(store, at: now + 60)
      #expect(try await store.list(of: "shop", after: "", limit: 3).map(\.key) == ["a", "b", "c"])
      #expect(try await store.list(of: "shop", after: "c", limit: 3).map(\.key) == ["d"])
      func all(_ after: ScheduleStore.Cursor?, of owner: String? = nil) async throws -> [String] {
        try await store.list(after: after, of: owner, limit: 3).map { "\($0.owner)/\($0.key)" }
      }
      #expect(try await all(nil) == ["bank/aa", "shop/a", "shop/b"])
      #expect(try await all(.init(owner: "shop", key: "b")) == ["shop/c", "shop/d"])
      #expect(try await all(.init(owner: "shop", key: "b"), of: "shop") == ["shop/c", "shop/d"])
      #expect(try await all(nil, of: "bank") == ["bank/aa"])
    }
  }

  @Test func `of two routers one claims what is due, and the other once the claim has ended`() async throws {
    try await TestDatabase.with(connections: 4) { client in
      let store = ScheduleStore(client: client)
      for index in 0..<40 { _ = try await put(store, "key-\(index)") }
      _ = try await send(store, at: now + 1)
      let claims = try await withThrowingTaskGroup { group in
        for _ in 0..<8 { group.addTask { try await store.claim(.schedules, limit: 10, lease: 60, now: now) } }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      #expect(claims.count == 40)
      #expect(Set(claims.map(\.id)).count == 40)
      #expect(try await store.claim(.schedules, limit: 100, lease: 60, now: now + 59).isEmpty)
      #expect(try await store.claim(.sends, limit: 100, lease: 60, now: now).isEmpty)
      // However many schedules are due, or claimed.
      #expect(try await store.claim(.sends, limit: 1, lease: 60, now: now + 60).map(\.key) == [nil])
      #expect(try await store.claim(.schedules, limit: 100, lease: 60, now: now + 60).count == 40)
    }
  }

  @Test func `a step counts once, for who holds the claim, and not after a change`() async throws {
    try await TestDatabase.with { client in
      let store = ScheduleStore(client: client)
      func due(_ at: Date) async throws -> [ScheduleStore.Claim] {
        try await store.claim(.schedules, limit: 9, lease: 60, now: at)
      }
      _ = try await put(store, "bins")
      let lost = try #require(try await due(now).first)
      let held = try #require(try await due(now + 60).first)
      let steps = { (claim: ScheduleStore.Claim, next: Date?) in
        try await store.advance([.init(claim, doneUntil: now + 60, next: next, plan: "{}")])
      }
      try await steps(lost, now + 1_000)
      #expect(try await due(now + 120).count == 1)
      let again = try #require(try await due(now + 180).first)
      try await steps(again, now + 500)
      try await steps(again, now + 900)
      try await steps(held, now + 900)
      #expect(try await due(now + 499).isEmpty)
      let third = try #require(try await due(now + 500).first)
      #expect(third.doneUntil == now + 60)
      #expect(third.plan == "{}")
      _ = try await put(store, "bins", "[]", now: now + 510)
      try await steps(third, now + 9_000)
      let changed = try #require(try await due(now + 510).first)
      #expect(changed.doneUntil == now + 510)
      #expect(changed.plan == nil)
      try await steps(changed, nil)
      #expect(try await due(now + 1_000_000).isEmpty)
    }
  }

  @Test func `a send waits once, however often it is stored, and is gone when it is handed on`() async throws {
    try await TestDatabase.with { client in
      let store = ScheduleStore(client: client)
      let id = try await send(store, at: now + 10)
      let again = ScheduleStore.WaitingSend(id: id, owner: .named("bank"), definition: "[]", sendAt: now + 99)
      try await store.store([again], now: now)
      #expect(try await store.state(of: id, of: "shop") == .scheduled(sendAt: now + 10))
      #expect(try await store.state(of: id, of: "bank") == nil)
      let claim = try #require(try await store.claim(.sends, limit: 9, lease: 60, now: now + 10).first)
      #expect(claim.isReleased)
      #expect(claim.definition == #"{"n":1}"#)
      #expect(try await store.state(of: id, of: nil) == .released)
      try await store.finish([claim])
      #expect(try await store.state(of: id, of: nil) == nil)
    }
  }

  @Test func `what is cancelled before it is due is not sent, and not stored again`() async throws {
    try await TestDatabase.with { client in
      let store = ScheduleStore(client: client)
      let id = try await send(store, at: now + 10)
      #expect(try await store.withdraw(id, of: "bank", now: now) == .notYours)
      #expect(try await store.withdraw(id, of: "shop", now: now) == .withdrawn)
      #expect(try await store.withdraw(id, of: "shop", now: now) == .withdrawnBefore)
      #expect(try await store.state(of: id, of: "shop") == .withdrawn(at: now))
      #expect(try await store.state(of: id, of: "bank") == nil)
      // Of what is not stored any more nobody learns whose it was.
      #expect(try await store.withdraw(id, of: "bank", now: now) == .nothingWaits)
      #expect(try await store.state(of: id, of: "shop") == .withdrawn(at: now))
      // The message that brought it comes again.
      let again = ScheduleStore.WaitingSend(id: id, owner: .named("shop"), definition: "{}", sendAt: now + 10)
      try await store.store([again], now: now)
      #expect(try await store.claim(.sends, limit: 9, lease: 60, now: now + 10).isEmpty)
      let mine = NamedRequest(id, of: .named("shop"))
      #expect(
        try await store.withdrawn(among: [mine, NamedRequest(RequestID(now: now), of: .named("shop"))]) == [mine]
      )
    }
  }

  @Test func `in the moment it is due a cancellation wins or comes too late, and says which`() async throws {
    try await TestDatabase.with(connections: 6) { client in
      let store = ScheduleStore(client: client)
      var ids: [RequestID] = []
      for _ in 0..<60 { ids.append(try await send(store, at: now)) }
      let everything = ids
      async let claiming = withThrowingTaskGroup { group in
        for _ in 0..<30 { group.addTask { try await store.claim(.sends, limit: 2, lease: 60, now: now) } }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      let answers = try await withThrowingTaskGroup { group in
        for id in everything { group.addTask { (id, try await store.withdraw(id, of: "shop", now: now)) } }
        return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
      }
      let released = Set(try await claiming.filter(\.isReleased).map { RequestID($0.id) })
      for id in ids {
        switch answers[id] {
        case .withdrawn: #expect(!released.contains(id))
        case .tooLate: #expect(released.contains(id))
        default: Issue.record("\(String(describing: answers[id]))")
        }
      }
      // What was released stays so, though it was asked to be cancelled.
      let again = try await store.claim(.sends, limit: 100, lease: 60, now: now + 60)
      #expect(again.allSatisfy { $0.isReleased })
      #expect(released.isSubset(of: Set(again.map { RequestID($0.id) })))
    }
  }

  @Test func `a schedule's date is sent once to each, under whatever instant`() async throws {
    try await TestDatabase.with { client in
      let notifications = NotificationStore(client: client)
      let date = Zone.utc.localDate(at: .now)
      let request = RequestID(schedule: "bins", of: "shop", on: date)
      let people = Sample.users(3)
      let midnight = Zone.utc.instant(of: date, at: .midnight)
      let content = try Sample.content()
      func release(_ users: [UserID], at instant: Date) async throws -> [Bool] {
        let items = users.map { user in
          NewNotification(
            id: NotificationID(request: request, recipient: user, at: instant),
            userID: user,
            requestID: request,
            content: 0,
            plan: PerChannel(inApp: .deliver, push: .deliver, email: .skip(.preferenceOff)),
            siblings: date.notificationIDs
          )
        }
        return try await notifications.store(items, contents: [content]).map(\.isNew)
      }
      #expect(try await release([people[0]], at: midnight + 3_600) == [true])
      #expect(try await release([people[0], people[1]], at: midnight + 7_200) == [false, true])
      #expect(try await release(people, at: midnight - 3_600) == [false, false, true])
      #expect(try await release(people, at: midnight - 3_600) == [false, false, false])
      #expect(try await client.value("SELECT count(*) FROM notifications", as: Int.self) == 3)
      #expect(try await client.miscounted().isEmpty)
      // Others of the same time are of no concern.
      let plain = Sample.notification(people[0])
      #expect(try await notifications.store([plain], contents: [content]).map(\.isNew) == [true])
    }
  }
}
