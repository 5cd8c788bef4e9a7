import Foundation
import Postgres
import TestSupport
import Testing

@testable import NotificationModel
@testable import NotificationStore

/// How many get through.
struct ThrottleTests: HeldCases {
  private func candidates(
    _ count: Int,
    of user: UserID,
    key: String = "",
    atMost: Int = 3
  ) -> [HeldStore.ThrottleCandidate] {
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
          let wanted = (users.flatMap { candidates(2, of: $0) + candidates(1, of: $0, key: "b") }).shuffled()
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

  /// Without luck: routers that count at once seldom meet in so short a statement.
  @Test func `counting waits for whoever has the person's inbox`() async throws {
    try await TestDatabase.with(connections: 3) { client in
      let (store, candidates) = (HeldStore(client: client), candidates(1, of: Sample.user()))
      _ = try await client.transaction(NotificationStore.lock(inboxesOf: candidates.map(\.user)))
      try await client.withConnection { session in
        try await session.script("BEGIN")
        _ = try await session.query(NotificationStore.lock(inboxesOf: candidates.map(\.user))[1])
        async let answers = store.count(candidates, now: start)
        try await untilSomebodyWaits(for: session)
        try await session.script("COMMIT")
        #expect(try await answers == [.granted(isNew: true)])
      }
    }
  }

  @Test func `who was counted stays so, the others hear when there is room, and what was in vain is taken back`()
    async throws
  {
    try await TestDatabase.with { client in
      let store = HeldStore(client: client)
      let user = Sample.user()
      let first = candidates(2, of: user)
      let granted = HeldStore.ThrottleAnswer.granted(isNew: true)
      #expect(try await store.count(first, now: start) == [granted, granted])
      let second = candidates(3, of: user)
      let refused = HeldStore.ThrottleAnswer.refused(until: start + 3_600)
      #expect(try await store.count(second, now: start + 60) == [granted, refused, refused])
      let counted = HeldStore.ThrottleAnswer.granted(isNew: false)
      #expect(try await store.count(first + second, now: start + 61) == [counted, counted, counted, refused, refused])
      // Half-open: after the hour the first two have left it.
      #expect(try await store.count([second[1]], now: start + 3_599.999) == [refused])
      #expect(try await store.count(Array(second[1...]), now: start + 3_600) == [granted, granted])
      let third = candidates(2, of: user)
      #expect(
        try await store.count(third, now: start + 3_601)
          == [.refused(until: start + 3_660), .refused(until: start + 3_660)]
      )
      try await store.discount([second[1]])
      #expect(try await store.count(third, now: start + 3_602) == [granted, .refused(until: start + 3_660)])
    }
  }
}
