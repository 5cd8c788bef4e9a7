import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore
import Postgres
import TestSupport
import Testing
import UserIdentity
import WallClock

@testable import Router

/// People who go by texts, from a message to their inbox.
@Suite struct UserIdentifierRoutingTests {
  private struct Unexpected: Error {}

  private func id(_ text: String) throws -> UserID { UserID(try #require(UserIdentifier(text)).uuid) }

  private func texts(_ query: SQLQuery, _ client: PostgresClient) async throws -> [String] {
    try await client.query(query).map { try $0.get(0) }
  }

  @Test func `a message with a text as user id is stored for its UUID, with an id, with a key and without any`()
    async throws
  {
    let router = TestRouter()
    let kaethe = try id("shop/Käthe 7")
    let body = #"{"to":{"users":["shop/Käthe 7"]},"type":12}"#
    try await router.publish(body, id: RequestID(now: .now).description, type: IngestKind.request.messageType)
    try await router.publish(body, id: "order-1")
    try await router.publish(body)
    try await router.run()
    #expect(router.isDone && router.deadLettered.isEmpty)
    #expect(router.stores.rows(of: kaethe).count == 3)
  }

  @Test func `who comes second to a UUID is dead-lettered, whichever it is, and nobody else is`() async throws {
    for isTextFirst in [true, false] {
      let router = TestRouter()
      let (bob, ann) = (try id("bob"), UserID(UUID()))
      let texts = isTextFirst ? ["bob", "\(bob)"] : ["\(bob)", "bob"]
      for (number, text) in texts.enumerated() {
        try await router.publish(#"{"to":{"users":["\#(ann)","\#(text)"]},"type":12}"#, id: "order-\(number)")
      }
      try await router.publish(#"{"to":{"users":["\#(ann)"],"except":["\#(texts[1])"]},"type":12}"#, id: "order-2")
      try await router.send(to: [ann])
      try await router.run()
      #expect(router.isDone)
      #expect(router.stores.rows(of: bob).count == 1)
      #expect(router.stores.rows(of: ann).count == 2)
      #expect(router.deadLettered.count == 2)
    }
  }

  @Test func `where nobody goes by a text, nobody is looked up`() async throws {
    let router = TestRouter()
    router.stores.fail { call in
      if case .identify = call { Unexpected() } else { nil }
    }
    let people = (0..<3).map { _ in UserID(UUID()) }
    try await router.send(to: people)
    try await router.run()
    #expect(router.isDone && router.stores.stored.count == 3)
  }

  @Test func `what waits is kept with UUIDs, and comes due for who is meant`() async throws {
    try await TestDatabase.with(connections: 4) { client in
      let router = TestRouter()
      let kaethe = try id("shop/Käthe 7")
      let at = (Date.now + 3_600).rfc3339
      try await router.publish(#"{"to":{"users":["shop/Käthe 7"]},"type":12,"sendAt":"\#(at)"}"#, id: "order-1")
      try await router.worker(on: client).run()
      #expect(router.deadLettered.isEmpty)
      let definition = try #require(try await texts("SELECT definition FROM schedules", client).first)
      #expect(definition.contains("\(kaethe)") && !definition.contains("Käthe"))
      #expect(try await texts("SELECT user_id::text FROM schedule_users", client) == ["\(kaethe)"])
      #expect(try await texts("SELECT identifier FROM user_identifiers", client) == ["shop/Käthe 7"])
    }
  }

  @Test func `what is repeated after an erasure, or refused, makes nobody known`() async throws {
    try await TestDatabase.with(connections: 4) { client in
      let router = TestRouter()
      let body = #"{"to":{"users":["ann"]},"type":12}"#
      try await router.publish(body, id: "k1")
      try await router.worker(on: client).run()
      #expect(try await texts("SELECT identifier FROM user_identifiers", client) == ["ann"])
      _ = try await ErasureStore(client: client).erase(try id("ann"), by: nil)
      try await router.publish(body, id: "k1")
      try await router.publish(#"{"to":{"users":["ben"]},"type":12,"sendAt":"2999-01-01T00:00:00Z"}"#, id: "k2")
      try await router.worker(on: client).run()
      #expect(router.isDone && router.deadLettered.count == 1)
      #expect(try await texts("SELECT identifier FROM user_identifiers", client).isEmpty)
    }
  }

  @Test func `a sender whose id was refused may correct it under the same key`() async throws {
    try await TestDatabase.with(connections: 4) { client in
      let router = TestRouter()
      let bob = try id("bob")
      try await router.publish(#"{"to":{"users":["bob"]},"type":12}"#, id: "k1")
      try await router.worker(on: client).run()
      try await router.publish(#"{"to":{"users":["\#(bob)"]},"type":12}"#, id: "k2")
      try await router.worker(on: client).run()
      #expect(router.deadLettered.count == 1)
      try await router.publish(#"{"to":{"users":["bob"]},"type":12}"#, id: "k2")
      try await router.worker(on: client).run()
      #expect(router.isDone && router.deadLettered.count == 1)
    }
  }

  @Test func `an event's payload names its person by a text, and a UUID that stands for one is refused`() async throws {
    try await RuleWorld.with { world in
      let payload = #""newBalance":8,"previousBalance":12.5"#
      try await world.report("BalanceUpdated", #""childId":"shop/Käthe 7",\#(payload)"#)
      try await world.run()
      let kaethe = try id("shop/Käthe 7")
      #expect(try await world.notified().map(\.user) == [kaethe])
      #expect(try await texts("SELECT identifier FROM user_identifiers", world.client) == ["shop/Käthe 7"])
      try await world.report("BalanceUpdated", #""childId":"\#(kaethe)",\#(payload)"#)
      try await world.run()
      #expect(try await world.notified().count == 1)
      #expect(world.router.deadLettered.count == 1)
      #expect(world.router.log.all.contains { $0.text.contains("a user id is refused") })
    }
  }
}
