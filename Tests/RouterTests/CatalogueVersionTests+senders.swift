import CatalogueVersions
import Foundation
import NotificationModel
import NotificationQueue
import TestSupport
import Testing

@testable import Broker
@testable import Router

/// Messages of senders who publish straight to the queue.
extension CatalogueVersionTests {
  @Test func `a sender's own header counts for nothing`() async throws {
    let (router, catalogues) = try await router()
    store.apply(Self.nothing)
    try await catalogues.refresh()
    let looks = store.looks
    try await accept(send(), by: 1, type: nil, router)
    try await accept(send(), by: 99, type: nil, router)
    try await router.run()
    #expect(router.deadLettered.count == 2)
    // Once for both, in case that a version has come just now.
    #expect(store.looks == looks + 1 && router.postponed.isEmpty)
  }

  @Test func `what is sent right after a version was applied goes by it`() async throws {
    let (router, catalogues) = try await router()
    store.apply(
      """
      \(Self.defaults)
      types: [{ code: 902, name: Flood, category: X, title: 'Two {{n}}' }]
      events: [{ name: Flooded }]
      """
    )
    try await accept(send("902"), by: nil, type: nil, router)
    try await accept(
      #"{"name":"Flooded","audience":{"users":["\#(ann)"]},"payload":{}}"#,
      by: nil,
      type: nil,
      key: Topology.eventKey,
      router
    )
    try await router.run()
    #expect(catalogues.current.number == 2)
    #expect(router.stores.texts(of: ann).map(\.title) == ["Two 5"])
    #expect(try router.realtime().flatMap(\.relays).map(\.name) == ["Flooded"])
    expectNothingLeft(router)
  }

  @Test func `what was sent before a version took its type goes by the one before, what was sent later does not`()
    async throws
  {
    let (router, catalogues) = try await router()
    store.apply(Self.nothing, at: .now - 60)
    try await catalogues.refresh()
    try await accept(send(), by: nil, type: nil, ago: 120, router)
    try await accept(send(), by: nil, type: nil, ago: 30, router)
    // It does not say when: it may have lain here.
    try await router.publish(send(), id: "order-7")
    try await router.run()
    #expect(router.stores.texts(of: ann).map(\.title) == ["One 5", "One 5"])
    #expect(router.deadLettered == ["invalid: type: 900 is not in the catalogue"])
    #expect(router.isDone && router.postponed.isEmpty)
  }

  @Test func `a sender's message waits where this release cannot read the newest version`() async throws {
    let (router, _) = try await router()
    store.apply(Self.unreadable)
    try await router.publish(send("902"), id: "order-7")
    try await router.run()
    #expect(router.postponed.map { $0.timestamp != nil } == [true])
    #expect(router.deadLettered.isEmpty)
  }

  /// With an id of the sender's own, and without one.
  @Test(arguments: ["order-7", nil])
  func `a sender's large audience hears it whole, whatever version comes between its parts`(id: String?) async throws {
    let (made, catalogues) = try await router()
    var router = made
    let store = store
    router.wrapPublisher = { publisher in
      PreparedPublisher(publisher: publisher) { message throws(BrokerError) in
        guard message.bookmark != nil else { return }
        store.apply(Self.nothing)
        await #expect(throws: Never.self) { try await catalogues.refresh() }
      }
    }
    router.stores.setGroup("family:1", (0..<250).map { _ in UserID(UUID()) })
    try await router.publish(send(to: #"{"group":"family:1"}"#), id: id, timestamp: .now)
    try await router.run()
    #expect(catalogues.current.number > 1)
    #expect(router.stores.stored.count == 250)
    #expect(router.stores.stored.values.allSatisfy { $0 == 1 })
    expectNothingLeft(router)
  }
}
