import Foundation
import Postgres
import TestSupport
import Testing

@testable import NotificationModel
@testable import NotificationStore

/// What waits: how it comes to `held`, whose it is when it is due, and how it leaves.
struct HeldStoreTests {
  private static let start = Date(timeIntervalSince1970: Date.now.timeIntervalSince1970.rounded(.down))
  private static let type = 10
  private let start = Self.start

  private static func held(
    _ user: UserID,
    at time: Date = start,
    until: Date,
    _ reason: HoldReason = .paused,
    channel: Channel = .push,
    keys: WaitingKeys? = nil
  ) -> NewNotification {
    var notification = Sample.notification(user, request: RequestID(now: time))
    notification.plan[channel] = .hold(until: until, reason)
    notification.waiting = keys
    return notification
  }

  private func claim(_ store: HeldStore, at now: Date, limit: Int = 500) async throws -> HeldClaim {
    try await store.claim(types: [Self.type], limit: limit, now: now, until: now + 60)
  }

  private func key(_ notification: NewNotification, _ channel: Channel = .push) -> HeldEntry.Key {
    .init(user: notification.userID, notification: notification.id, channel: channel)
  }

  private func plans(_ notifications: [NewNotification], _ store: HeldStore) async throws -> [RoutingPlan?] {
    let contents = try await store.contents(of: notifications.map { ($0.userID, $0.id) })
    return notifications.map { contents[$0.id]?.plan }
  }

  // MARK: Coming

  @Test func `what was decided by settings of before is due at once`() async throws {
    try await TestDatabase.with { client in
      let user = Sample.user()
      _ = try await SettingsStore(client: client).change(of: user, in: [], at: start) { $0.pausedUntil = start + 600 }
      let stale = Self.held(user, until: start + 60, keys: WaitingKeys(decidedAt: start + 1, settingsRevision: 0))
      let current = Self.held(
        user,
        at: start + 2,
        until: start + 60,
        keys: WaitingKeys(decidedAt: start + 1, settingsRevision: 1)
      )
      _ = try await NotificationStore(client: client).store([stale, current], contents: [try Sample.content()])
      let rows = try await client.query("SELECT notification_id FROM held WHERE due_at = \(start + 1)")
      #expect(try rows.map { try $0.get(0, as: NotificationID.self) } == [stale.id])
    }
  }

  @Test func `what a plan holds waits, channel by channel, with what it waits by`() async throws {
    try await TestDatabase.with { client in
      let store = HeldStore(client: client)
      let keys = WaitingKeys(digest: "a", throttle: "b", decidedAt: start)
      var both = Self.held(Sample.user(), until: start + 10, .digest, keys: keys)
      both.plan[.email] = .hold(until: start + 20, .unread)
      let later = Self.held(Sample.user(), until: start + 5, channel: Channel(rawValue: 7))
      var content = try Sample.content()
      content.collapseKey = "c"
      let sent = Sample.notification(Sample.user())
      _ = try await NotificationStore(client: client).store([both, later, sent], contents: [content])
      let entries = try await claim(store, at: start + 20).entries
      let wanted = [
        HeldEntry(
          key: key(both),
          due: start + 10,
          reason: .digest,
          type: 10,
          digestKey: "a",
          throttleKey: "b",
          collapseKey: "c"
        ),
        HeldEntry(
          key: key(both, .email),
          due: start + 20,
          reason: .unread,
          type: 10,
          digestKey: "a",
          throttleKey: "b",
          collapseKey: "c"
        ),
        HeldEntry(key: key(later, Channel(rawValue: 7)), due: start + 5, reason: .paused, type: 10, collapseKey: "c"),
      ]
      #expect(entries.count == 3)
      for entry in wanted { #expect(entries.contains(entry)) }
      let read = try #require(try await store.contents(of: [(both.userID, both.id)])[both.id])
      #expect(read.plan == both.plan)
      #expect((read.title, read.body, read.data) == (content.title, content.body, content.data))
      #expect((read.relatedEntityType, read.relatedEntityID) == ("Account", "7"))
      #expect((read.inbox, read.unread, read.requestID) == (.unread, 1, both.requestID))
    }
  }

  @Test func `a repetition keeps the stored due time, and brings nothing back that was told`() async throws {
    try await TestDatabase.with { client in
      let (store, notifications) = (HeldStore(client: client), NotificationStore(client: client))
      let contents = [try Sample.content()]
      let first = Self.held(Sample.user(), until: start + 10)
      var again = first
      again.plan[.push] = .hold(until: start + 99, .quietHours)
      for notification in [first, again, again] {
        _ = try await notifications.store([notification], contents: contents)
      }
      let claim = try await claim(store, at: start + 10)
      #expect(claim.entries.map(\.due) == [start + 10])
      #expect(claim.entries.map(\.reason) == [.paused])
      _ = try await store.settle(.init(changes: [deliver(claim, first)], compositions: [], now: start + 10), of: claim)
      try await store.finish(claim)
      _ = try await notifications.store([again], contents: contents)
      #expect(try await client.value("SELECT count(*) FROM held", as: Int.self) == 0)
    }
  }

  private func deliver(_ claim: HeldClaim, _ notification: NewNotification) -> HeldSettlement.Change {
    change(claim, notification, .deliver)
  }

  private func change(_ claim: HeldClaim, _ item: NewNotification, _ to: ChannelDecision) -> HeldSettlement.Change {
    let entry = claim.entries.first { $0.key == key(item) } ?? claim.entries[0]
    let from = ChannelDecision.hold(until: entry.due, entry.reason)
    return .init(entry, DecisionChange(id: item.id, userID: item.userID, from: from, to: to))
  }

  @Test func `of routers that open a digest's window at the same time, one does`() async throws {
    try await TestDatabase.with(connections: 8) { client in
      let (store, notifications) = (HeldStore(client: client), NotificationStore(client: client))
      let user = Sample.user()
      let contents = [try Sample.content()]
      try await withThrowingTaskGroup { group in
        for router in 0..<24 {
          let now = start + Double(router) / 10
          let keys = WaitingKeys(digest: router % 3 == 0 ? "b" : "a", decidedAt: now)
          let item = Self.held(user, at: now, until: now + 3_600, .digest, keys: keys)
          group.addTask { _ = try await notifications.store([item], contents: contents) }
        }
        try await group.waitForAll()
      }
      let dues = try await client.query(
        "SELECT digest_key, count(*), count(DISTINCT due_at), min(due_at) FROM held GROUP BY 1"
      )
      #expect(try dues.map { try $0.get(0, as: String.self) }.sorted() == ["a", "b"])
      #expect(try dues.allSatisfy { try $0.get(2, as: Int.self) == 1 })
      #expect(try dues.reduce(0) { try $0 + $1.get(1, as: Int.self) } == 24)
      let key = HeldStore.WindowKey(user: user, channel: .push, type: Self.type, key: "a")
      let open = try await store.windows([key], now: start)
      #expect(try open[key]?.until == dues.first { try $0.get(0, as: String.self) == "a" }?.get(3))
      // At its end it is over.
      #expect(try await store.windows([key], now: try #require(open[key]).until).isEmpty)
    }
  }

  // MARK: Claims

  @Test func `of many claimants each takes all of some people's, and nobody half`() async throws {
    try await TestDatabase.with(connections: 8) { client in
      let store = HeldStore(client: client)
      let users = Sample.users(150)
      let rows = users.flatMap { user in
        (0..<5).map { Self.held(user, at: start + Double($0), until: start + Double($0) / 10) }
      }
      _ = try await NotificationStore(client: client).store(rows, contents: [try Sample.content()])
      let all = try await withThrowingTaskGroup(of: [HeldClaim].self) { group in
        for claimant in 0..<8 {
          let (now, until) = (start + 100, start + 200 + Double(claimant))
          group.addTask {
            var (claims, empty): ([HeldClaim], Int) = ([], 0)
            while empty < 3 {
              let claim = try await store.claim(types: [Self.type], limit: 40, now: now, until: until)
              if claim.entries.isEmpty { empty += 1 } else { claims.append(claim) }
            }
            return claims
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      #expect(all.reduce(0) { $0 + $1.entries.count } == rows.count)
      #expect(Set(all.flatMap { $0.entries.map(\.key) }).count == rows.count)
      for claim in all {
        #expect(Dictionary(grouping: claim.entries, by: \.key.user).values.allSatisfy { $0.count == 5 })
      }
    }
  }

  @Test func `a claim that ended is anybody's, and whoever had it changes nothing any more`() async throws {
    try await TestDatabase.with { client in
      let store = HeldStore(client: client)
      let item = Self.held(Sample.user(), until: start)
      _ = try await NotificationStore(client: client).store([item], contents: [try Sample.content()])
      let first = try await claim(store, at: start)
      #expect(first.entries.count == 1)
      #expect(try await claim(store, at: start + 59).entries.isEmpty)
      let second = try await claim(store, at: start + 60)
      #expect(second.entries == first.entries)
      let late = try await store.settle(
        .init(changes: [change(first, item, .skip(.expired))], compositions: [], now: start + 61),
        of: first
      )
      #expect(late.owned.isEmpty && late.changed.isEmpty)
      try await store.finish(first)
      #expect(try await plans([item], store)[0]?[.push] == item.plan[.push])
      let result = try await store.settle(
        .init(changes: [deliver(second, item)], compositions: [], now: start + 61),
        of: second
      )
      #expect(result.changed == [.push: [item.id]])
      try await store.finish(second)
      #expect(try await plans([item], store)[0]?[.push] == .deliver)
      #expect(try await client.value("SELECT count(*) FROM held", as: Int.self) == 0)
    }
  }

  @Test func `what is not due, or of a type that the caller does not know, is not claimed`() async throws {
    try await TestDatabase.with { client in
      let store = HeldStore(client: client)
      let item = Self.held(Sample.user(), until: start)
      _ = try await NotificationStore(client: client).store([item], contents: [try Sample.content()])
      #expect(try await claim(store, at: start - 0.001).entries.isEmpty)
      #expect(try await store.claim(types: [11], limit: 9, now: start, until: start + 9).entries.isEmpty)
      // Whoever knows it has a minute for it, then it is out of the way for ten.
      #expect(try await store.putOff(knowing: [11], now: start + 59).isEmpty)
      #expect(try await store.putOff(knowing: [Self.type], now: start + 60).isEmpty)
      #expect(try await store.putOff(knowing: [11], now: start + 60) == [Self.type])
      #expect(try await claim(store, at: start + 659).entries.isEmpty)
      #expect(try await claim(store, at: start + 660).entries.count == 1)
    }
  }

  // MARK: Settling

  @Test func `what waits on has no claim any more, and whoever changed its due time has the last word`() async throws {
    try await TestDatabase.with { client in
      let store = HeldStore(client: client)
      let items = Sample.users(2).map { Self.held($0, until: start) }
      _ = try await NotificationStore(client: client).store(items, contents: [try Sample.content()])
      let claim = try await claim(store, at: start)
      let retimed = start + 1
      _ = try await client.query("UPDATE held SET due_at = \(retimed) WHERE user_id = \(items[1].userID)")
      let later = ChannelDecision.hold(until: start + 900, .quietHours)
      let result = try await store.settle(
        .init(changes: items.map { change(claim, $0, later) }, compositions: [], now: start),
        of: claim
      )
      #expect(result.changed == [.push: Set(items.map(\.id))])
      try await store.finish(claim)
      #expect(try await plans(items, store).map { $0?[.push] } == [later, later])
      #expect(try await self.claim(store, at: start + 1).entries.map(\.key.user) == [items[1].userID])
      let rest = try await self.claim(store, at: start + 900).entries.first { $0.key.user == items[0].userID }
      #expect(rest?.reason == .quietHours)
      #expect(rest?.due == start + 900)
    }
  }

  private func told(_ claim: HeldClaim, due: Date) throws -> HeldSettlement.Told {
    let entries = claim.entries
    return .init(
      id: NotificationID(user: entries[0].key.user, channel: .push, due: due, type: nil, key: ""),
      content: try Sample.content(title: "\(entries.count) notifications", at: due),
      members: entries.map { ($0, .hold(until: $0.due, $0.reason)) }
    )
  }

  @Test func `a composition is stored with its members, once, and is in no inbox`() async throws {
    try await TestDatabase.with { client in
      let store = HeldStore(client: client)
      let user = Sample.user()
      let items = (0..<4).map { Self.held(user, at: start - Double(9 - $0), until: start) }
      _ = try await NotificationStore(client: client).store(items, contents: [try Sample.content()])
      let claim = try await claim(store, at: start)
      let told = try told(claim, due: start)
      let result = try await store.settle(.init(changes: [], compositions: [told], now: start), of: claim)
      #expect(result.composed == [told.id])
      #expect(result.changed == [.push: Set(items.map(\.id))])
      #expect(try await plans(items, store).allSatisfy { $0?[.push] == .skip(.composed) })
      let stored = try #require(try await store.contents(of: [(user, told.id)])[told.id])
      #expect((stored.title, stored.plan, stored.data) == ("4 notifications", told.plan, told.content.data))
      #expect(try await client.miscounted().isEmpty)
      #expect(
        try await InboxStore(client: client).page(of: user, filter: .init(), offset: 0, limit: 9).items.count == 4
      )
      let log = try await client.column(
        """
        SELECT DISTINCT concat_ws(' ', outcome, reason) FROM delivery_log
        WHERE user_id = \(user) AND channel = 2 ORDER BY 1
        """,
        as: String.self
      )
      #expect(log == ["pending", "skipped composed"])
      // The claimant died: the next one finds what was settled.
      let next = try await self.claim(store, at: start + 60)
      #expect(next.entries.map(\.composedIn) == Array(repeating: told.id, count: 4))
      try await store.finish(next)
      #expect(try await client.value("SELECT count(*) FROM held", as: Int.self) == 0)
    }
  }

  @Test func `a composition whose id is taken is not stored, and its members are due again at once`() async throws {
    try await TestDatabase.with { client in
      let (store, notifications) = (HeldStore(client: client), NotificationStore(client: client))
      let user = Sample.user()
      for round in 0..<2 {
        let items = (0..<2).map { Self.held(user, at: start - Double(9 - $0 - 3 * round), until: start) }
        _ = try await notifications.store(items, contents: [try Sample.content()])
        let claim = try await claim(store, at: start + Double(round))
        let settlement = HeldSettlement(changes: [], compositions: [try told(claim, due: start)], now: start + 5)
        let result = try await store.settle(settlement, of: claim)
        #expect(result.composed.count == (round == 0 ? 1 : 0))
        try await store.finish(claim)
        if round == 1 {
          #expect(try await plans(items, store).map { $0?[.push] } == items.map { $0.plan[.push] })
          let again = try await self.claim(store, at: start + 5)
          #expect(again.entries.map(\.due) == [start + 5, start + 5])
          let second = try await store.settle(
            .init(changes: [], compositions: [try told(again, due: start + 5)], now: start + 5),
            of: again
          )
          #expect(second.composed.count == 1)
        }
      }
    }
  }

  @Test func `a composition with a member of somebody else's claim is not stored, and the others are due again`()
    async throws
  {
    try await TestDatabase.with { client in
      let store = HeldStore(client: client)
      let user = Sample.user()
      let items = (0..<3).map { Self.held(user, at: start - Double(9 - $0), until: start) }
      _ = try await NotificationStore(client: client).store(items, contents: [try Sample.content()])
      let claim = try await claim(store, at: start)
      _ = try await client.query("UPDATE held SET claimed_until = NULL WHERE notification_id = \(items[1].id)")
      let told = try told(claim, due: start)
      let result = try await store.settle(.init(changes: [], compositions: [told], now: start + 5), of: claim)
      #expect(result.owned.count == 2)
      #expect(result.composed.isEmpty && result.changed.isEmpty)
      #expect(try await store.contents(of: [(user, told.id)]).isEmpty)
      // Nothing that waits is lost with its companion.
      try await store.finish(claim)
      let again = try await self.claim(store, at: start + 5).entries
      #expect(again.map(\.key.notification) == items.map(\.id))
      #expect(again.map(\.due) == [start + 5, start, start + 5])
    }
  }

  // MARK: Throttles

  private func claims(
    _ count: Int,
    of user: UserID,
    key: String = "",
    atMost: Int = 3
  ) -> [HeldStore.ThrottleClaim] {
    let throttle = Throttle(atMost: atMost, per: 3_600, key: nil, then: .hold)
    return (0..<count).map { _ in
      .init(
        user: user,
        notification: NotificationID(request: RequestID(now: start), recipient: user),
        type: Self.type,
        key: key,
        throttle: throttle
      )
    }
  }

  @Test func `of any number of routers no more get through than may`() async throws {
    try await TestDatabase.with(connections: 8) { client in
      let store = HeldStore(client: client)
      let users = Sample.users(5)
      let granted = try await withThrowingTaskGroup(of: [(UserID, String)].self) { group in
        for _ in 0..<12 {
          let wanted = (users.flatMap { claims(2, of: $0) + claims(1, of: $0, key: "b") }).shuffled()
          group.addTask { [start] in
            let answers = try await store.count(wanted, now: start)
            return zip(wanted, answers).compactMap { $1 == .granted(isNew: true) ? ($0.user, $0.key) : nil }
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      for user in users {
        for key in ["", "b"] { #expect(granted.count { $0.0 == user && $0.1 == key } == 3) }
      }
    }
  }

  @Test func `who was counted stays so, the others hear when there is room, and what was in vain is taken back`()
    async throws
  {
    try await TestDatabase.with { client in
      let store = HeldStore(client: client)
      let user = Sample.user()
      let first = claims(2, of: user)
      let granted = HeldStore.ThrottleAnswer.granted(isNew: true)
      #expect(try await store.count(first, now: start) == [granted, granted])
      let second = claims(3, of: user)
      let refused = HeldStore.ThrottleAnswer.refused(until: start + 3_600)
      #expect(try await store.count(second, now: start + 60) == [granted, refused, refused])
      let counted = HeldStore.ThrottleAnswer.granted(isNew: false)
      #expect(try await store.count(first + second, now: start + 61) == [counted, counted, counted, refused, refused])
      // Half-open: after the hour the first two have left it.
      #expect(try await store.count([second[1]], now: start + 3_599.999) == [refused])
      #expect(try await store.count(Array(second[1...]), now: start + 3_600) == [granted, granted])
      let third = claims(2, of: user)
      #expect(
        try await store.count(third, now: start + 3_601)
          == [.refused(until: start + 3_660), .refused(until: start + 3_660)]
      )
      try await store.discount([second[1]])
      #expect(try await store.count(third, now: start + 3_602) == [granted, .refused(until: start + 3_660)])
    }
  }
}
