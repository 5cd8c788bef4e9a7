import Foundation
import Postgres
import TestSupport
import Testing

@testable import NotificationModel
@testable import NotificationStore

/// What waits: how it leaves.
struct HeldSettlingTests: HeldCases {
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

  private func composition(_ claim: HeldClaim, due: Date) throws -> HeldSettlement.NewComposition {
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
      let composition = try composition(claim, due: start)
      let result = try await store.settle(.init(changes: [], compositions: [composition], now: start), of: claim)
      #expect(result.composed == [composition.id])
      #expect(result.changed == [.push: Set(items.map(\.id))])
      #expect(try await plans(items, store).allSatisfy { $0?[.push] == .skip(.composed) })
      let stored = try #require(try await store.contents(of: [(user, composition.id)])[composition.id])
      #expect(
        (stored.title, stored.plan, stored.data) == ("4 notifications", composition.plan, composition.content.data)
      )
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
      #expect(next.entries.map(\.composedIn) == Array(repeating: composition.id, count: 4))
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
        let settlement = HeldSettlement(changes: [], compositions: [try composition(claim, due: start)], now: start + 5)
        let result = try await store.settle(settlement, of: claim)
        #expect(result.composed.count == (round == 0 ? 1 : 0))
        try await store.finish(claim)
        if round == 1 {
          #expect(try await plans(items, store).map { $0?[.push] } == items.map { $0.plan[.push] })
          let again = try await self.claim(store, at: start + 5)
          #expect(again.entries.map(\.due) == [start + 5, start + 5])
          let second = try await store.settle(
            .init(changes: [], compositions: [try composition(again, due: start + 5)], now: start + 5),
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
      let composition = try composition(claim, due: start)
      let result = try await store.settle(.init(changes: [], compositions: [composition], now: start + 5), of: claim)
      #expect(result.owned.count == 2)
      #expect(result.composed.isEmpty && result.changed.isEmpty)
      #expect(try await store.contents(of: [(user, composition.id)]).isEmpty)
      // Nothing that waits is lost with its companion.
      try await store.finish(claim)
      let again = try await self.claim(store, at: start + 5).entries
      #expect(again.map(\.key.notification) == items.map(\.id))
      #expect(again.map(\.due) == [start + 5, start, start + 5])
    }
  }
}
