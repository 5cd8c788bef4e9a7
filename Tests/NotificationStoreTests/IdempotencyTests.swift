import Foundation
import NotificationModel
import NotificationStore
import Postgres
import TestSupport
import Testing

struct IdempotencyTests {
  private static func claim(_ key: String, scope: String = "rest:backend", body: UInt8 = 1) -> IdempotencyStore.Claim {
    IdempotencyStore.Claim(scope: scope, key: key, requestID: RequestID(now: .now), bodyHash: [body])
  }

  @Test func `the same key gives the first request's id`() async throws {
    try await TestDatabase.with { client in
      let store = IdempotencyStore(client: client)
      let first = Self.claim("key")
      let entry = try #require(try await store.claim([first]).first)
      #expect(entry.requestID == first.requestID && entry.isNew && entry.isSameBody && !entry.isConfirmed)
      try await store.confirm(scope: first.scope, key: first.key)
      let again = try #require(try await store.claim([Self.claim("key")]).first)
      #expect(again.requestID == first.requestID && !again.isNew && again.isSameBody && again.isConfirmed)
    }
  }

  @Test func `a look at a key says what it stands for, and claims nothing`() async throws {
    try await TestDatabase.with { client in
      let store = IdempotencyStore(client: client)
      for _ in 0..<2 { #expect(try await store.entry(of: Self.claim("a")) == nil) }
      let first = try #require(try await store.claim([Self.claim("a")]).first)
      #expect(first.isNew)
      let unconfirmed = try #require(try await store.entry(of: Self.claim("a")))
      #expect(unconfirmed.requestID == first.requestID)
      #expect(unconfirmed.isSameBody && !unconfirmed.isConfirmed && !unconfirmed.isNew)
      try await store.confirm(scope: "rest:backend", key: "a")
      #expect(try await store.entry(of: Self.claim("a"))?.isConfirmed == true)
      #expect(try await store.entry(of: Self.claim("a", body: 2))?.isSameBody == false)
      #expect(try await store.entry(of: Self.claim("a", scope: "rest:bank")) == nil)
    }
  }

  @Test func `the same key with another body is told apart, and another sender's key is another key`() async throws {
    try await TestDatabase.with { client in
      let store = IdempotencyStore(client: client)
      let first = Self.claim("key")
      let other = Self.claim("key", scope: "rest:another", body: 2)
      _ = try await store.claim([first])
      let entries = try await store.claim([Self.claim("key", body: 2), other])
      #expect(entries.map(\.requestID) == [first.requestID, other.requestID])
      #expect(entries.map(\.isSameBody) == [false, true])
      #expect(entries.map(\.isNew) == [false, true])
    }
  }

  @Test func `the same keys in one call get one id, in the order of the claims`() async throws {
    try await TestDatabase.with { client in
      let claims = [Self.claim("z"), Self.claim("a"), Self.claim("z"), Self.claim("z", body: 2)]
      let entries = try await IdempotencyStore(client: client).claim(claims)
      #expect(entries.map(\.requestID) == [claims[0], claims[1], claims[0], claims[0]].map(\.requestID))
      #expect(entries.map(\.isNew) == [true, true, false, false])
      #expect(entries.map(\.isSameBody) == [true, true, true, false])
      #expect(try await IdempotencyStore(client: client).claim([]).isEmpty)
    }
  }

  @Test func `concurrent claims of the same keys get the same ids`() async throws {
    try await TestDatabase.with(connections: 6) { client in
      let store = IdempotencyStore(client: client)
      let answers = try await withThrowingTaskGroup(of: [String: RequestID].self) { group in
        for _ in 0..<30 {
          let claims = (0..<20).map { Self.claim("\($0)") }.shuffled()
          group.addTask {
            let entries = try await store.claim(claims)
            return Dictionary(uniqueKeysWithValues: zip(claims.map(\.key), entries.map(\.requestID)))
          }
        }
        return try await group.reduce(into: Set<[String: RequestID]>()) { $0.insert($1) }
      }
      #expect(answers.count == 1)
    }
  }

  @Test func `keys that maintenance deletes meanwhile are claimed anew`() async throws {
    try await TestDatabase.with(connections: 6) { client in
      let store = IdempotencyStore(client: client)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          group.addTask {
            for _ in 0..<30 {
              let claims = (0..<10).map { Self.claim("\($0)") }
              let entries = try await store.claim(claims)
              #expect(entries.count == claims.count)
            }
          }
        }
        group.addTask { for _ in 0..<60 { _ = try await client.query("DELETE FROM idempotency_keys") } }
        try await group.waitForAll()
      }
    }
  }
}
