import CatalogueVersions
import Foundation
import NotificationModel
import NotificationQueue
import TestSupport
import Testing

@testable import Broker
@testable import Router

/// What waits while versions come and go.
extension CatalogueVersionTests {
  /// By a worker that has seen the type go, by one that was asleep for some versions, and by one that comes later.
  enum Worker: CaseIterable { case attentive, sleepy, new }

  @Test(arguments: Worker.allCases) func `what waits keeps its words when its type is gone`(kind: Worker) async throws {
    let clock = TestClock()
    let (made, catalogues) = try await router()
    var router = made
    router.clock = { clock.now }
    let until = clock.now + 3_600
    router.stores.change(ann) { $0.pausedUntil = until }
    try await router.publish(
      send(),
      id: RequestID(now: clock.now).description,
      type: IngestKind.request.messageType,
      headers: ["x-belfry-catalogue": .integer(1)]
    )
    try await router.run()
    #expect(router.stores.held.count == 1)
    let before = try router.heldWorker(living: Lifetime())
    clock.advance(by: 3_601)
    var unknown = HeldWorker.UnknownTypes()
    try await before.putOffUnknown(&unknown)
    for _ in 0..<(kind == .attentive ? 1 : 3) { store.apply(Self.nothing) }
    try await catalogues.refresh()
    let worker = kind != .new ? before : try router.heldWorker(living: Lifetime())
    if kind != .attentive {
      #expect(try await !worker.takeBatch())
      // At once, though the last look was in this very second.
      if kind == .new { unknown = HeldWorker.UnknownTypes() }
      try await worker.putOffUnknown(&unknown)
    }
    #expect(try await worker.takeBatch())
    #expect(try router.dispatches(.push).flatMap(\.contents).map(\.title) == ["One 5"])
    #expect(router.stores.held.isEmpty)
  }

  /// The worker is there before the database has said anything.
  @Test func `what waits of a type that is gone does not go by the built-in type of its code`() async throws {
    let (first, second) = (
      "{ code: 1, name: OrderShipped, category: X, title: T }", "{ code: 2, name: OrderDelayed, category: X, title: T }"
    )
    let store = CatalogueVersionsInMemory([Self.own("\(first), \(second)"), Self.own(first)])
    let catalogues = try CatalogueInForce(file: "", store: store, logger: .quiet)
    let types = HeldTypes(catalogues)
    _ = types.known()
    try await catalogues.refresh()
    #expect(types.known().codes == [1])
    #expect(try await types.find([2]).isEmpty)
    #expect(types.known().type(2)?.name == "OrderDelayed")
  }

  @Test func `what waits goes by the newest version that had its type, also if the router has not seen that`()
    async throws
  {
    let (_, catalogues) = try await router()
    let types = HeldTypes(catalogues)
    #expect(types.known().type(900)?.name == "Tide")
    store.apply("\(Self.defaults)\ntypes: [{ code: 900, name: Ebb, category: X, title: Two }]")
    store.apply(Self.nothing)
    try await catalogues.refresh()
    #expect(types.known().type(900) == nil)
    #expect(try await types.find([900]).isEmpty)
    #expect(types.known().type(900)?.name == "Ebb")
  }

  @Test func `after a backup was restored what waits does not go by versions that are lost`() async throws {
    let (_, catalogues) = try await router()
    let types = HeldTypes(catalogues)
    store.apply("\(Self.defaults)\ntypes: [{ code: 900, name: Ebb, category: X, title: Two }]")
    try await catalogues.refresh()
    #expect(types.known().type(900)?.name == "Ebb")
    store.restore(to: 1)
    for _ in 0..<2 { store.apply(Self.nothing) }
    try await catalogues.refresh()
    #expect(catalogues.current.number == 3 && types.known().type(900) == nil)
    #expect(try await types.find([900]).isEmpty)
    #expect(types.known().type(900)?.name == "Tide")
  }

  @Test func `of thousands of versions those are read that have a type of what waits`() async throws {
    for _ in 0..<2_000 { store.apply(Self.nothing, names: []) }
    let (_, catalogues) = try await router()
    let types = HeldTypes(catalogues)
    #expect(try await types.find([900, 7_777, 7_778]) == [7_777, 7_778])
    #expect(types.known().type(900)?.name == "Tide")
    #expect(store.reads == [2_001, 1] && store.searches == 1)
  }

  @Test func `what waits of a type that has come back goes by it, and not by a former one`() async throws {
    let (_, catalogues) = try await router()
    let types = HeldTypes(catalogues)
    #expect(types.known().type(900)?.name == "Tide")
    store.apply(Self.nothing)
    try await catalogues.refresh()
    #expect(types.known().type(900)?.name == "Tide" && types.known().codes.contains(900))
    store.apply("\(Self.defaults)\ntypes: [{ code: 900, name: Ebb, category: X, title: Two }]")
    try await catalogues.refresh()
    #expect(types.known().type(900)?.name == "Ebb")
    #expect(types.known().codes.count { $0 == 900 } == 1)
    #expect(try await types.find([900, 7_777]) == [7_777])
    let reads = store.reads.count
    #expect(try await types.find([7_777]) == [7_777])
    #expect(store.reads.count == reads)
  }
}
