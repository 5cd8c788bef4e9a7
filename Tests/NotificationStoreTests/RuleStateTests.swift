import Foundation
import NotificationModel
import Postgres
import Rules
import TestSupport
import Testing
import WallClock

@testable import NotificationStore

@Suite struct RuleStateTests {
  private let now = Date(timeIntervalSince1970: 1_795_348_800)

  private func key(_ user: UserID, _ key: String = "", rule: String = "r") -> RuleStateKey {
    RuleStateKey(rule: rule, user: user.uuid, key: key)
  }

  private func state(timer: Date? = nil, day: Int? = nil, until: Date? = nil, note: Int = 0) throws -> RuleState {
    var members = [#""v":1"#, #""note":\#(note)"#]
    if let timer { members.append(#""timer":[["t",\#(Int(timer.timeIntervalSince1970 * 1_000))]]"#) }
    if let day { members.append(#""day":\#(day)"#) }
    if let until { members.append(#""until":\#(Int(until.timeIntervalSince1970 * 1_000))"#) }
    return try RuleState(json: "{\(members.joined(separator: ","))}")
  }

  private func put(_ states: [RuleStateKey: RuleState], notices: [RuleStore.Notice] = [], _ store: RuleStore)
    async throws
  {
    try await store.change(Set(states.keys), now: now) { _ in
      var changes = RuleStore.Changes()
      (changes.states, changes.notices) = (states, notices)
      return (changes, ())
    }
  }

  private func stored(_ keys: [RuleStateKey], _ store: RuleStore) async throws -> [RuleStateKey: String] {
    try await store.change(Set(keys), now: now) { (RuleStore.Changes(), $0) }
  }

  @Test func `what is stored comes back as it was, whatever its key and payload`() async throws {
    try await TestDatabase.with { client in
      let store = RuleStore(client: client)
      let user = Sample.user()
      let odd = try RuleState(json: #"{"v":1,"kept":{"a":"\u0000 日本 🎉","b":1.50}}"#)
      let states = [
        key(user): try state(note: 1), key(user, "ü/日本\""): odd, key(user, rule: "s"): try state(timer: now),
      ]
      try await put(states, store)
      #expect(try await stored(Array(states.keys) + [key(Sample.user())], store) == states.mapValues(\.json))
      let changed = try state(note: 2)
      try await put([key(user): changed], store)
      #expect(try await stored([key(user)], store) == [key(user): changed.json])
    }
  }

  @Test func `of many that make the same state at once each sees what those before it made`() async throws {
    try await TestDatabase.with(connections: 8) { client in
      let store = RuleStore(client: client)
      let keys = (0..<30).map { key(UserID(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, $0)))) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<40 {
          group.addTask {
            let some = Set(keys.shuffled().prefix(10))
            try await store.change(some, now: now) { stored in
              var changes = RuleStore.Changes()
              for key in some { changes.states[key] = try state(note: try note(stored[key]) + 1) }
              return (changes, ())
            }
          }
        }
        try await group.waitForAll()
      }
      let total = try await stored(keys, store).values.map { try note($0) }.reduce(0, +)
      #expect(total == 400)
    }
  }

  private func note(_ json: String?) throws -> Int {
    guard let json else { return 0 }
    return try #require(json.firstMatch(of: /"note":(\d+)/).flatMap { Int($0.1) })
  }

  @Test func `a failure in between stores neither states nor notices`() async throws {
    struct Failure: Error {}
    try await TestDatabase.with { client in
      let store = RuleStore(client: client)
      let user = Sample.user()
      await #expect(throws: Failure.self) {
        try await store.change([key(user)], now: now) { (_) throws -> (changes: RuleStore.Changes, result: Int) in
          throw Failure()
        }
      }
      let left = try await stored([key(user)], store)
      #expect(left.isEmpty)
    }
  }

  @Test func `what is due is taken by one, the oldest first`() async throws {
    try await TestDatabase.with(connections: 4) { client in
      let store = RuleStore(client: client)
      let users = (0..<20).map { _ in Sample.user() }
      var states: [RuleStateKey: RuleState] = [:]
      for (number, user) in users.enumerated() { states[key(user)] = try state(timer: now + Double(number)) }
      try await put(states, store)
      var taken: [UserID] = []
      while let some = try await store.due(
        now: now + 14,
        limit: 4,
        { due, _ in
          var changes = RuleStore.Changes()
          for item in due { changes.states[item.key] = try state(note: 1) }
          return (changes, due.map { UserID($0.key.user) })
        }
      ) { taken += some }
      #expect(taken == Array(users.prefix(15)))
      let more = try await store.due(now: now + 14, limit: 4) { due, _ in (RuleStore.Changes(), due.count) }
      #expect(more == nil)
    }
  }

  @Test func `two that look at once take different ones`() async throws {
    try await TestDatabase.with(connections: 4) { client in
      let store = RuleStore(client: client)
      var states: [RuleStateKey: RuleState] = [:]
      for _ in 0..<200 { states[key(Sample.user())] = try state(timer: now) }
      try await put(states, store)
      let taken = try await withThrowingTaskGroup(of: [RuleStateKey].self) { group in
        for _ in 0..<4 {
          group.addTask {
            var taken: [RuleStateKey] = []
            while let some = try await store.due(
              now: now,
              limit: 7,
              { due, _ in
                var changes = RuleStore.Changes()
                for item in due { changes.timers[item.key] = .some(nil) }
                return (changes, due.map(\.key))
              }
            ) { taken += some }
            return taken
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      #expect(taken.count == 200)
      #expect(Set(taken) == Set(states.keys))
    }
  }

  @Test func `a person's new settings have every state with a time looked at once more`() async throws {
    try await TestDatabase.with { client in
      let store = RuleStore(client: client)
      let user = Sample.user()
      try await put(
        [
          key(user, "timer"): try state(timer: now + 900), key(user, "period"): try state(until: now + 900),
          key(user, "value"): try state(), key(user, "over"): try state(until: now - 1),
          key(Sample.user()): try state(timer: now + 900),
        ],
        store
      )
      _ = try await client.query(RuleStore.resettle(user, now: now))
      // An event in between leaves them to be looked at.
      try await put([key(user, "timer"): try state(timer: now + 1_000)], store)
      let due = try await store.due(now: now, limit: 10) { due, _ in
        var changes = RuleStore.Changes()
        for item in due { changes.timers[item.key] = now + 500 }
        return (changes, due)
      }
      #expect(Set((due ?? []).map(\.key.key)) == ["timer", "period"])
      #expect(due?.allSatisfy(\.isUnsettled) == true)
      let again = try await store.due(now: now + 500, limit: 10) { due, _ in (RuleStore.Changes(), due) } ?? []
      #expect(again.count == 2)
      #expect(again.allSatisfy { !$0.isUnsettled })
    }
  }

  @Test func `who cannot look at a state leaves it to be looked at because of its person's settings`() async throws {
    try await TestDatabase.with { client in
      let store = RuleStore(client: client)
      let user = Sample.user()
      try await put([key(user): try state(timer: now + 900)], store)
      _ = try await client.query(RuleStore.resettle(user, now: now))
      _ = try await store.due(now: now, limit: 10) { due, _ in
        var changes = RuleStore.Changes()
        for item in due { changes.deferred[item.key] = now + 60 }
        return (changes, due.count)
      }
      let early = try await store.due(now: now + 59, limit: 10) { due, _ in (RuleStore.Changes(), due) }
      #expect(early == nil)
      let again = try await store.due(now: now + 60, limit: 10) { due, _ in (RuleStore.Changes(), due) } ?? []
      #expect(again.map(\.isUnsettled) == [true])
    }
  }

  @Test func `a notice is another's to publish when its writer had time enough, until it is forgotten`() async throws {
    try await TestDatabase.with { client in
      let store = RuleStore(client: client)
      let notices = (0..<3).map { RuleStore.Notice(id: RequestID(now: now), body: Array("{\"n\":\($0)}".utf8)) }
      try await put([key(Sample.user()): try state()], notices: notices + notices, store)
      let late = now + RuleStore.publishing
      #expect(try await store.orphans(now: late - 1, limit: 10).isEmpty)
      let orphans = try await store.orphans(now: late, limit: 10)
      #expect(orphans.sorted { $0.id < $1.id } == notices.sorted { $0.id < $1.id })
      #expect(try await store.orphans(now: late, limit: 10).isEmpty)
      try await store.forget(notices.map(\.id))
      #expect(try await store.orphans(now: late + 900, limit: 10).isEmpty)
    }
  }

  @Test func `a scan is one router's, and again another's if it was not finished`() async throws {
    try await TestDatabase.with { client in
      let store = RuleStore(client: client)
      let day = LocalDate(dayNumber: 20_000)
      func claim(_ zones: [String], at time: Date) async throws -> Set<String> {
        Set(try await store.claimScan("r", of: day, zones: zones, now: time, until: time + 60))
      }
      #expect(try await claim(["A", "B"], at: now) == ["A", "B"])
      #expect(try await claim(["A", "C"], at: now + 1) == ["C"])
      try await store.finishScan("r", of: day, zones: ["A"])
      #expect(try await claim(["A", "B", "C"], at: now + 60) == ["B"])
    }
  }

  @Test func `absent are those of a zone whose last day it was, in pages`() async throws {
    try await TestDatabase.with { client in
      let store = RuleStore(client: client)
      let users = (0..<10).map { _ in Sample.user() }.sorted()
      for (number, user) in users.enumerated() {
        try await put([key(user): try state(day: number == 9 ? 19_999 : 20_000)], store)
        guard number > 0 else { continue }
        let zone = number % 2 == 0 ? "Europe/Berlin" : nil
        let profile = UserStore.Profile(email: nil, displayName: nil, locale: nil, timezone: zone, isEnabled: true)
        _ = try await UserStore(client: client).put(profile, of: user)
      }
      #expect(try await store.zonesInUse() == [RuleStore.noZone, "Europe/Berlin"])
      func absent(_ zones: [String], after: UserID? = nil) async throws -> [UserID] {
        try await store.absent(
          "r",
          lastDay: LocalDate(dayNumber: 20_000),
          zones: zones,
          after: after?.uuid,
          limit: 3
        ).map { UserID($0.user) }
      }
      #expect(try await absent(["Europe/Berlin"]) == [users[2], users[4], users[6]])
      #expect(try await absent(["Europe/Berlin"], after: users[6]) == [users[8]])
      #expect(try await absent([RuleStore.noZone]) == [users[0], users[1], users[3]])
      #expect(try await absent(["Europe/Paris"]).isEmpty)
    }
  }

  @Test func `maintenance deletes what says nothing any more`() async throws {
    try await TestDatabase.with { client in
      let store = RuleStore(client: client)
      let user = Sample.user()
      try await put(
        [
          key(user, "over"): try state(until: Date.now - 5), key(user, "not yet"): try state(until: Date.now + 500),
          key(user, "for good"): try state(),
        ],
        store
      )
      let report = try await MaintenanceStore(client: client).run(
        retention: .seconds(30 * 86_400),
        keyLifetime: .seconds(86_400),
        staleDevice: .seconds(86_400)
      )
      #expect(report?.ruleStatesDeleted == 1)
      let left = try await stored(["over", "not yet", "for good"].map { key(user, $0) }, store)
      #expect(Set(left.keys.map(\.key)) == ["not yet", "for good"])
    }
  }
}
