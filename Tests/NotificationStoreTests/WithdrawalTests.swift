import Foundation
import NotificationModel
import Postgres
import TestSupport
import Testing
import WallClock

@testable import NotificationStore

/// Who withdraws what: also before anything of it is stored.
struct WithdrawalTests {
  private let now = Date(timeIntervalSince1970: 1_800_000_000)

  @Test func `who knows the id of another's request that is not stored yet withdraws nothing of it`() async throws {
    try await TestDatabase.with { client in
      let store = ScheduleStore(client: client)
      let id = RequestID(now: now)
      #expect(try await store.withdraw(id, of: "bank", now: now) == .nothingWaits)
      let owners: [RequestOwner] = [.named("shop"), .named("bank"), .anybody, .unknown]
      // What has no name anybody may withdraw; of what routers of earlier versions stored nobody knows it.
      #expect(
        try await store.withdrawn(among: Set(owners.map { NamedRequest(id, of: $0) }))
          == Set(owners.dropFirst().map { NamedRequest(id, of: $0) })
      )
      let send = ScheduleStore.WaitingSend(id: id, owner: .named("shop"), definition: "{}", sendAt: now + 10)
      try await store.store([send], now: now)
      #expect(try await store.claim(.sends, limit: 9, lease: 60, now: now + 10).map(\.isReleased) == [true])
    }
  }

  @Test func `who asks for what is not stored yet is in nobody's way, and hears of nobody else`() async throws {
    try await TestDatabase.with { client async throws in
      let store = ScheduleStore(client: client)
      let id = RequestID(schedule: "bins", of: "shop", on: Zone.utc.localDate(at: now))
      #expect(try await store.withdraw(id, of: "bank", now: now) == .nothingWaits)
      #expect(try await store.state(of: id, of: "shop") == nil)
      #expect(try await store.withdraw(id, of: "shop", now: now + 1) == .nothingWaits)
      #expect(try await store.withdraw(id, of: "shop", now: now + 2) == .withdrawnBefore)
      #expect(try await store.state(of: id, of: "shop") == .withdrawn(at: now + 1))
      #expect(try await store.state(of: id, of: "bank") == .withdrawn(at: now))
      // What is stored later says whose withdrawal it is.
      #expect(try await store.withdrawal(of: id, ownedBy: [.named("shop")]) == now + 1)
      #expect(try await store.withdrawal(of: id, ownedBy: [.named("post")]) == nil)
      for owner in [RequestOwner.anybody, .unknown] {
        #expect(try await store.withdrawal(of: id, ownedBy: [owner]) == now)
      }
      let mine = NamedRequest(id, of: .named("shop"))
      #expect(try await store.withdrawn(among: [mine, NamedRequest(id, of: .named("post"))]) == [mine])
    }
  }

  @Test func `its owner withdraws what another has asked to, and so does an admin`() async throws {
    try await TestDatabase.with { client in
      let store = ScheduleStore(client: client)
      for caller in ["shop", nil] {
        let id = RequestID(now: now)
        let request = NamedRequest(id, of: .named("shop"))
        #expect(try await store.withdraw(id, of: "bank", now: now) == .nothingWaits)
        try await store.store([.init(id: id, owner: .named("shop"), definition: "{}", sendAt: now + 10)], now: now)
        #expect(try await store.withdrawn(among: [request]).isEmpty)
        #expect(try await store.withdraw(id, of: caller, now: now) == .withdrawn)
        #expect(try await store.withdrawn(among: [request]) == [request])
        #expect(try await store.state(of: id, of: "shop") == .withdrawn(at: now))
      }
    }
  }

  @Test func `what was stored while it was cancelled is not released`() async throws {
    try await TestDatabase.with { client in
      let store = ScheduleStore(client: client)
      let id = RequestID(now: now)
      try await store.store([.init(id: id, owner: .named("shop"), definition: "{}", sendAt: now + 10)], now: now)
      // As a gateway of the release before does.
      _ = try await client.query("INSERT INTO cancelled_requests VALUES (\(id), \(now))")
      let claim = try #require(try await store.claim(.sends, limit: 9, lease: 60, now: now + 10).first)
      #expect(!claim.isReleased)
    }
  }
}
