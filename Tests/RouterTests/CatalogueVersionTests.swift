import CatalogueVersions
import Foundation
import JSON
import NotificationModel
import NotificationQueue
import NotificationStore
import TestSupport
import Testing

@testable import Broker
@testable import Router

/// A message is routed by the current version of the catalogue, if that can; otherwise by the one that accepted it.
@Suite struct CatalogueVersionTests {
  private static let defaults = """
    version: 1
    defaults: { channels: { inApp: true, push: true }, priority: normal, timeToLiveDays: 1, title: T, body: B }
    """
  /// A version that has none of that.
  private static let nothing = "\(defaults)\nevents: []"
  /// What accepts: a type, an event that is relayed, and one that a rule looks at.
  private static let first = """
    \(defaults)
    types: [{ code: 900, name: Tide, category: X, title: "One {{n}}" }]
    events: [{ name: TideTurned }, { name: TideMeasured, relay: false }]
    rules:
    - { name: tide, on: TideMeasured, user: "{{who}}", data: { n: "{{n}}" }, notify: Tide }
    """

  private let store = CatalogueVersionsInMemory([Self.first])
  private let ann = UserID(UUID())

  /// Routers that follow the versions, and have the newest.
  private func router() async throws -> (TestRouter, CatalogueInForce) {
    var router = TestRouter()
    let catalogues = try CatalogueInForce(file: "", store: store, logger: .quiet)
    try await catalogues.refresh()
    router.versions = catalogues
    return (router, catalogues)
  }

  private func accept(
    _ body: String,
    by version: Int?,
    type: String? = IngestKind.request.messageType,
    key: String = Topology.requestKey,
    _ router: TestRouter
  ) async throws {
    try await router.publish(
      body,
      id: RequestID(now: .now).description,
      type: type,
      key: key,
      timestamp: .now,
      headers: version.map { ["x-belfry-catalogue": .integer(Int64($0))] } ?? [:]
    )
  }

  private func send(_ type: String = "900", to audience: String? = nil) -> String {
    #"{"to":\#(audience ?? #"{"users":["\#(ann)"]}"#),"type":\#(type),"data":{"n":"5"}}"#
  }

  private func expectNothingLeft(_ router: TestRouter, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(router.isDone, sourceLocation: sourceLocation)
    #expect(router.postponed.isEmpty, sourceLocation: sourceLocation)
    #expect(router.deadLettered.isEmpty, "\(router.deadLettered)", sourceLocation: sourceLocation)
  }

  @Test func `the current version words what an earlier one accepted, where it can`() async throws {
    let (router, catalogues) = try await router()
    try await accept(send(), by: 1, router)
    store.apply("\(Self.defaults)\ntypes: [{ code: 900, name: Ebb, category: X, title: 'Two {{n}}' }]")
    try await catalogues.refresh()
    try await router.run()
    #expect(router.stores.texts(of: ann).map(\.title) == ["Two 5"])
    #expect(store.reads == [1, 2])
    expectNothingLeft(router)
  }

  /// The type is gone, has another code, or needs a variable that nobody gave.
  @Test(
    arguments: [
      "", "types: [{ code: 901, name: Tide, category: X, title: 'Two' }]",
      "types: [{ code: 900, name: Tide, category: X, title: 'Two {{m}}' }]",
    ]
  )
  func `the version that accepted it words what the current one cannot`(types: String) async throws {
    let (router, catalogues) = try await router()
    for number in 0..<3 {
      try await accept(#"{"to":{"users":["\#(ann)"]},"type":900,"data":{"n":"\#(number)"}}"#, by: 1, router)
    }
    // By the name it is another type.
    store.apply("\(Self.defaults)\n\(types)")
    store.apply("\(Self.defaults)\n\(types)")
    try await catalogues.refresh()
    try await router.run()
    #expect(router.stores.texts(of: ann).map(\.title).sorted() == ["One 0", "One 1", "One 2"])
    expectNothingLeft(router)
  }

  @Test func `what the built-in catalogue accepted is worded by it, if the first version cannot`() async throws {
    let store = CatalogueVersionsInMemory()
    let catalogues = try CatalogueInForce(file: "", store: store, logger: .quiet)
    var router = TestRouter()
    router.versions = catalogues
    let type = try #require(try TestRouter.catalogue.get().type(.code(12)))
    try await accept(TestRouter.body([ann]), by: nil, router)
    store.apply("\(Self.defaults)\ntypes: [{ code: 12, name: \(type.name), category: X, title: 'Two {{m}}' }]")
    try await catalogues.refresh()
    try await router.run()
    #expect(router.stores.texts(of: ann).count == 1)
    #expect(!router.stores.texts(of: ann).contains { $0.title.hasPrefix("Two") })
    expectNothingLeft(router)
  }

  @Test func `a router that is behind asks once for all of a batch, and routes it at once`() async throws {
    let (router, catalogues) = try await router()
    store.apply("\(Self.defaults)\ntypes: [{ code: 902, name: Flood, category: X, title: 'Two {{n}}' }]")
    let looks = store.looks
    for _ in 0..<50 { try await accept(send("902"), by: 2, router) }
    try await router.run()
    #expect(catalogues.current.number == 2)
    #expect(store.looks == looks + 1)
    #expect(router.stores.texts(of: ann).count == 50)
    expectNothingLeft(router)
  }

  @Test func `what a later version accepted waits, also if the current one knows its type`() async throws {
    let (router, catalogues) = try await router()
    try await accept(send(), by: 3, router)
    try await router.run()
    #expect(router.postponed.map(\.catalogueVersion) == [3])
    #expect(router.stores.texts(of: ann).isEmpty)
    for title in ["Two", "Three"] {
      store.apply("\(Self.defaults)\ntypes: [{ code: 900, name: Tide, category: X, title: \(title) }]")
    }
    try await router.endPause()
    try await router.run()
    #expect(catalogues.current.number == 3)
    #expect(router.stores.texts(of: ann).map(\.title) == ["Three"])
    expectNothingLeft(router)
  }

  @Test func `of a version that is not there any more it waits, and nothing is decided`() async throws {
    let (router, catalogues) = try await router()
    store.apply(Self.first)
    try await catalogues.refresh()
    // As after a backup was restored.
    store.restore(to: 1)
    try await catalogues.refresh()
    try await accept(send(), by: 2, router)
    try await router.run()
    #expect(router.postponed.count == 1 && router.deadLettered.isEmpty)
    #expect(router.stores.texts(of: ann).isEmpty)
  }

  @Test func `a sender's own header counts for nothing`() async throws {
    let (router, catalogues) = try await router()
    store.apply(Self.nothing)
    try await catalogues.refresh()
    let looks = store.looks
    try await accept(send(), by: 1, type: nil, router)
    try await accept(send(), by: 99, type: nil, router)
    try await router.run()
    #expect(router.deadLettered.count == 2)
    #expect(store.looks == looks && router.postponed.isEmpty)
  }

  @Test func `with a file nothing is asked for, whatever a gateway says`() async throws {
    var router = TestRouter()
    router.versions = CatalogueInForce(
      AppliedCatalogue(try Catalogue(overrides: Self.first), source: .file("own.yaml"))
    )
    try await accept(send(), by: 7, router)
    try await router.run()
    #expect(router.stores.texts(of: ann).map(\.title) == ["One 5"])
    expectNothingLeft(router)
  }

  @Test func `an event goes by the rules and the relay of the version that accepted it, if the current one has none`()
    async throws
  {
    let (router, catalogues) = try await router()
    let audience = #""audience":{"users":["\#(ann)"]}"#
    try await accept(
      #"{"name":"TideTurned",\#(audience),"payload":{}}"#,
      by: 1,
      type: IngestKind.event.messageType,
      key: Topology.eventKey,
      router
    )
    try await accept(
      #"{"name":"TideMeasured","payload":{"who":"\#(ann)","n":5}}"#,
      by: 1,
      type: IngestKind.event.messageType,
      key: Topology.eventKey,
      router
    )
    store.apply("\(Self.defaults)\nevents: [{ name: TideMeasured, relay: false }]")
    try await catalogues.refresh()
    try await router.run()
    #expect(try router.realtime().flatMap(\.relays).map(\.name) == ["TideTurned"])
    #expect(router.stores.texts(of: ann).map(\.title) == ["One 5"])
    expectNothingLeft(router)
  }

  @Test func `a part of a large audience is routed by the version that cut it`() async throws {
    let (made, catalogues) = try await router()
    var router = made
    router.maximumBatch = 1
    router.stores.setGroup("family:1", (0..<25).map { _ in UserID(UUID()) })
    try await accept(send(to: #"{"group":"family:1"}"#), by: 1, router)
    // Dies when the parts are there, before it takes one.
    while !router.broker.messages(in: Topology.ingestQueue).contains(where: { $0.type == RoutingOrder.chunkType }) {
      try await router.run(until: .init(step: 4, isAfter: true))
    }
    store.apply(Self.nothing)
    try await catalogues.refresh()
    try await router.run()
    #expect(router.stores.stored.count == 25)
    #expect(router.stores.stored.values.allSatisfy { $0 == 1 })
    expectNothingLeft(router)
  }

  @Test func `whatever a router puts on the queue says which version judged it`() async throws {
    let router = TestRouter()
    let publisher = RouterPublisher(publisher: router.broker)
    let id = RequestID(now: .now)
    try await publisher.publish([ScheduledSend(requestId: id, at: .now, request: .null, catalogueVersion: 4)])
    // Its sender's own.
    let message = BrokerMessage(body: [], headers: ["x-belfry-catalogue": .integer(99)])
    _ = await publisher.stamp([(message, id, .request)], catalogueVersion: 5)
    #expect(router.broker.messages(in: Topology.ingestQueue).map(\.catalogueVersion) == [4, 5])
  }

  // MARK: What waits

  /// By a worker that has seen the type go, and by one that comes later.
  @Test(arguments: [true, false]) func `what waits keeps its words when its type is gone`(hasSeenIt: Bool) async throws
  {
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
    for _ in 0..<3 { store.apply(Self.nothing) }
    try await catalogues.refresh()
    clock.advance(by: 3_601)
    let worker = hasSeenIt ? before : try router.heldWorker(living: Lifetime())
    if !hasSeenIt {
      #expect(try await !worker.takeBatch())
      var unknown = HeldWorker.UnknownTypes()
      try await worker.putOffUnknown(&unknown)
    }
    #expect(try await worker.takeBatch())
    #expect(try router.dispatches(.push).flatMap(\.contents).map(\.title) == ["One 5"])
    #expect(router.stores.held.isEmpty)
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
