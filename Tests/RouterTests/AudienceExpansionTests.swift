import Broker
import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore
import Postgres
import TestSupport
import Testing

@testable import Router

/// Large audiences are notified some chunks at a time; a crash anywhere leaves nobody out and notifies nobody twice.
@Suite struct AudienceExpansionTests {
  private let crowd = (0..<47).map { _ in UserID(UUID()) }.sorted()

  /// Chunks of 2, so steps of 20.
  private func router(maximumBatch: Int = 3) -> TestRouter {
    var router = TestRouter()
    router.chunkSize = 2
    router.maximumBatch = maximumBatch
    for user in crowd { router.stores.change(user) { _ in } }
    router.stores.setGroup("crowd:1", crowd)
    return router
  }

  private func publish(_ audience: String, _ router: TestRouter, id: RequestID = RequestID(now: .now)) async throws {
    try await router.publish(
      #"{"to":{\#(audience),"except":["\#(crowd[4])","\#(crowd[5])","\#(crowd[46])"]},"type":12}"#,
      id: id.description,
      type: "belfry.request"
    )
  }

  private func isNotified(_ router: TestRouter) -> Bool {
    let notified = router.stores.stored
    let wanted = Set(crowd).subtracting([crowd[4], crowd[5], crowd[46]])
    return router.isDone && router.deadLettered.isEmpty && Set(notified.keys) == wanted
      && notified.values.allSatisfy { $0 == 1 }
      && router.stores.counted.values.allSatisfy { $0 == 1 }
  }

  @Test(arguments: [#""everyone":true"#, #""group":"crowd:1""#])
  func `everyone is notified once, by steps between which other work comes`(_ audience: String) async throws {
    let router = router()
    try await publish(audience, router)
    try await router.run()
    #expect(isNotified(router))
  }

  @Test func `a request for nobody is noted, with whose it is`() async throws {
    let router = router()
    let id = RequestID(now: .now)
    let body = #"{"to":{"group":"nobody:1"},"type":12}"#
    let headers = ["x-belfry-owner": BrokerValue.string("shop")]
    try await router.publish(body, id: id.description, type: "belfry.request", headers: headers)
    try await publish(#""group":"crowd:1""#, router)
    try await router.run()
    #expect(isNotified(router))
    #expect(router.stores.forNobody == [NamedRequest(id, of: .named("shop"))])
  }

  @Test func `a step leaves chunks and a bookmark, and holds nothing`() async throws {
    let router = router(maximumBatch: 1)
    let life = Lifetime(until: nil)
    let connection = InMemoryStores.Connection(stores: router.stores, life: life)
    let expansion = AudienceExpansion(groups: connection, residents: connection, chunkSize: 2)
    let everyone = Audience.everyone(except: [crowd[4], crowd[5]])
    var bookmark: UserID?
    var sizes: [Int] = []
    var notified: [UserID] = []
    repeat {
      switch try await expansion.step(of: everyone, after: bookmark) {
      case .last(let users):
        notified += users
        sizes.append(1)
        bookmark = nil
      case .cut(let chunks, let next):
        notified += chunks.flatMap(\.self)
        sizes.append(chunks.count)
        bookmark = next
      }
    } while bookmark != nil
    // The chunk of whom nobody is to be notified is left out.
    #expect(sizes == [9, 10, 4])
    #expect(notified == crowd.filter { ![crowd[4], crowd[5]].contains($0) })
    #expect(
      try await expansion.step(of: .everyone(except: []), after: crowd[45]) == .last([crowd[46]])
    )
    #expect(try await expansion.step(of: .everyone(except: []), after: crowd[46]) == .last([]))
    #expect(try await expansion.step(of: .users([crowd[1]]), after: nil) == .last([crowd[1]]))
  }

  @Test func `a router that dies anywhere repeats a step and no more`() async throws {
    let whole = router()
    try await publish(#""everyone":true"#, whole)
    let steps = try await whole.run().steps
    #expect(isNotified(whole))
    for step in 1...steps {
      let router = router()
      try await publish(#""everyone":true"#, router)
      try await router.run(until: .init(step: step, isAfter: step % 2 == 0))
      try await router.run()
      #expect(isNotified(router), "\(step)")
    }
  }

  @Test func `what was withdrawn between two steps is dropped: the chunks, and the request itself`() async throws {
    let router = router(maximumBatch: 1)
    let request = RequestID(now: .now)
    try await router.publish(
      #"{"to":{"everyone":true},"type":12}"#,
      id: request.description,
      type: IngestKind.request.messageType
    )
    // The first steps: chunks lie in the queue, and behind them the request with a bookmark.
    try await router.run(until: .init(step: 15, isAfter: true))
    let before = router.stores.stored.count
    #expect(before < crowd.count && !router.broker.messages(in: Topology.ingestQueue).isEmpty)
    router.stores.withdraw(request)
    try await router.run()
    #expect(router.isDone && router.deadLettered.isEmpty)
    #expect(router.stores.stored.count == before)
  }

  @Test func `a sender's own message-id keeps the request's id from step to step`() async throws {
    let router = router(maximumBatch: 1)
    for _ in 0..<2 {
      try await router.publish(
        #"{"to":{"everyone":true,"except":["\#(crowd[4])","\#(crowd[5])","\#(crowd[46])"]},"type":12}"#,
        id: "order-7"
      )
    }
    try await router.run()
    #expect(isNotified(router))
  }

  @Test func `who is erased or comes meanwhile does not stop it`() async throws {
    try await TestDatabase.with { client in
      let users = UserStore(client: client)
      let groups = GroupStore(client: client)
      for user in crowd {
        let profile = UserStore.Profile(email: nil, displayName: nil, locale: nil, timezone: nil, isEnabled: true)
        _ = try await users.put(profile, of: user)
      }
      let expansion = AudienceExpansion(groups: groups, residents: AudienceStore(client: client), chunkSize: 2)
      guard case .cut(let first, let next?) = try await expansion.step(of: .everyone(except: []), after: nil) else {
        Issue.record("expected a step")
        return
      }
      #expect(first.flatMap(\.self) == Array(crowd.prefix(20)))
      #expect(next == crowd[19])
      _ = try await client.query("DELETE FROM users WHERE user_id = ANY (\([crowd[19], crowd[30]]))")
      guard case .cut(let second, let last?) = try await expansion.step(of: .everyone(except: []), after: next) else {
        Issue.record("expected a step")
        return
      }
      #expect(second.flatMap(\.self) == Array(crowd[20..<30] + crowd[31...40]))
      #expect(last == crowd[40])
    }
  }
}
