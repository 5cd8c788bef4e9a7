import Foundation
import Postgres
import TestSupport
import Testing

@testable import NotificationModel
@testable import NotificationStore

/// What waits: whose it is when it is due.
struct HeldClaimTests: HeldCases {
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

  @Test func `what is settled is locked by notification before channel, as by those who change settings`() async throws
  {
    try await TestDatabase.with(connections: 4) { client in
      let store = HeldStore(client: client)
      let user = Sample.user()
      let mailed = Self.held(user, at: start - 2, until: start, channel: .email)
      let pushed = Self.held(user, at: start - 1, until: start)
      _ = try await NotificationStore(client: client).store([mailed, pushed], contents: [try Sample.content()])
      let claim = try await claim(store, at: start)
      #expect(claim.entries.map(\.key.channel) == [.push, .email])
      let settlement = HeldSettlement(changes: [deliver(claim, pushed)], compositions: [], now: start)
      let result = try await client.withConnection { session in
        _ = try await session.query("BEGIN")
        _ = try await session.query(Self.free(mailed))
        async let result = store.settle(settlement, of: claim)
        try await untilSomebodyWaits(for: session)
        // Who waits for the first has not taken the second.
        #expect(try await session.query(Self.free(pushed)).count == 1)
        _ = try await session.query("COMMIT")
        return try await result
      }
      #expect(result.owned.count == 2 && result.changed == [.push: [pushed.id]])
    }
  }

  /// The row, locked, unless somebody else has done that.
  private static func free(_ notification: NewNotification) -> SQLQuery {
    """
    SELECT channel FROM held WHERE user_id = \(notification.userID) AND notification_id = \(notification.id)
    FOR UPDATE SKIP LOCKED
    """
  }
}
