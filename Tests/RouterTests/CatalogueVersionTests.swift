import CatalogueVersions
import Foundation
import BelfryJSON
import NotificationModel
import NotificationQueue
import NotificationStore
import Synchronization
import TestSupport
import Testing

@testable import Broker
@testable import Router

/// A message is routed by the current version of the catalogue, if that can; otherwise by the one that accepted it.
@Suite struct CatalogueVersionTests {
  static let defaults = """
    version: 1
    defaults: { channels: { inApp: true, push: true }, priority: normal, timeToLiveDays: 1, title: T, body: B }
    """
  /// A version that has none of that.
  static let nothing = "\(defaults)\nevents: []"
  /// What accepts: a type, an event that is relayed, and one that a rule looks at.
  static let first = """
    \(defaults)
    types: [{ code: 900, name: Tide, category: X, title: "One {{n}}" }]
    events: [{ name: TideTurned }, { name: TideMeasured, relay: false }]
    rules:
    - { name: tide, on: TideMeasured, user: "{{who}}", data: { n: "{{n}}" }, notify: Tide }
    """

  let store = CatalogueVersionsInMemory([Self.first])
  let ann = UserID(UUID())

  /// One without anything of ours.
  static func own(_ types: String) -> String { "\(defaults)\nbuiltIn: false\ntypes: [\(types)]" }

  /// One that this release cannot read.
  static let unreadable = "version: 1\ntypes: [{ code: here }]"

  /// Routers that follow the versions, and have the newest.
  func router() async throws -> (TestRouter, CatalogueInForce) {
    var router = TestRouter()
    let catalogues = try CatalogueInForce(file: "", store: store, logger: .quiet)
    try await catalogues.refresh()
    router.versions = catalogues
    return (router, catalogues)
  }

  func accept(
    _ body: String,
    by version: Int?,
    type: String? = IngestKind.request.messageType,
    key: String = Topology.requestKey,
    ago age: TimeInterval = 0,
    _ router: TestRouter
  ) async throws {
    try await router.publish(
      body,
      id: RequestID(now: .now - age).description,
      type: type,
      key: key,
      timestamp: .now - age,
      headers: version.map { ["x-belfry-catalogue": .integer(Int64($0))] } ?? [:]
    )
  }

  func send(_ type: String = "900", to audience: String? = nil) -> String {
    #"{"to":\#(audience ?? #"{"users":["\#(ann)"]}"#),"type":\#(type),"data":{"n":"5"}}"#
  }

  func expectNothingLeft(_ router: TestRouter, sourceLocation: SourceLocation = #_sourceLocation) {
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
    try await accept(TestRouter.body([ann]), by: 0, router)
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

  /// However long ago that was: an outage of the database is no reason to give up.
  @Test(arguments: [0.0, 3_600])
  func `what a later version accepted that this release cannot read waits, also if the current one knows its type`(
    age: TimeInterval
  ) async throws {
    let (router, catalogues) = try await router()
    store.apply(Self.unreadable)
    try await accept(send(), by: 2, ago: age, router)
    try await router.run()
    #expect(router.postponed.map(\.catalogueVersion) == [2])
    #expect(router.stores.texts(of: ann).isEmpty && router.deadLettered.isEmpty)
    #expect(catalogues.lag?.hasPrefix("catalogue: version 2 cannot be read by this release: ") == true)
    store.apply("\(Self.defaults)\ntypes: [{ code: 900, name: Tide, category: X, title: Three }]")
    try await router.endPause()
    try await router.run()
    #expect(catalogues.current.number == 3 && catalogues.lag == nil)
    #expect(router.stores.texts(of: ann).map(\.title) == ["Three"])
    expectNothingLeft(router)
  }

  @Test func `what asks for no database is done while a later version cannot be asked for`() async throws {
    struct Away: Error {}
    let (made, catalogues) = try await router()
    let worker = try made.ingestWorker(living: Lifetime())
    try await accept(send(), by: 2, made)
    try await accept("nonsense", by: nil, type: nil, made)
    var batch = IngestBatch(deliveries: made.broker.take(from: Topology.ingestQueue), limit: 10)
    store.fail(with: Away())
    do {
      try await worker.processor.process(&batch)
      Issue.record("expected it to fail")
    } catch is Away {}
    #expect(batch.pending.count == 1 && made.deadLettered.count == 1)
    store.fail(with: nil)
    store.apply(Self.first)
    try await worker.processor.process(&batch)
    #expect(batch.pending.isEmpty && catalogues.current.number == 2)
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

  @Test func `an attempt that is repeated goes by the version of the first one`() async throws {
    let (made, catalogues) = try await router()
    var router = made
    let store = store
    let failures = Mutex(1)
    router.wrapPublisher = { publisher in
      PreparedPublisher(publisher: publisher) { _ throws(BrokerError) in
        guard
          failures.withLock({ left in
            left -= 1; return left >= 0
          })
        else { return }
        // The same rule by another name: what it says of an event is another notification.
        store.apply(Self.first.replacing("name: tide,", with: "name: ebb,"))
        await #expect(throws: Never.self) { try await catalogues.refresh() }
        throw BrokerError(.connectionLost, "The connection is gone.")
      }
    }
    try await accept(
      #"{"name":"TideMeasured","payload":{"who":"\#(ann)","n":5}}"#,
      by: 1,
      type: IngestKind.event.messageType,
      key: Topology.eventKey,
      router
    )
    try await router.run()
    #expect(catalogues.current.number == 2)
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
    // By the built-in catalogue, and by a file, of which others know nothing.
    try await publisher.publish([ScheduledSend(requestId: id, at: .now, request: .null, catalogueVersion: 0)])
    _ = await publisher.stamp([(message, id, .request)])
    #expect(router.broker.messages(in: Topology.ingestQueue).map(\.catalogueVersion) == [4, 5, 0, nil])
  }
}
