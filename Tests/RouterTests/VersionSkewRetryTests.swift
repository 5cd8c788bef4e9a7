import Broker
import Foundation
import BelfryJSON
import NotificationModel
import NotificationQueue
import TestSupport
import Testing

@testable import Router

/// While gateways and routers of a rolling restart have different catalogues, nothing that was accepted is dead-lettered early.
@Suite struct VersionSkewRetryTests {
  private static let now = Date(timeIntervalSince1970: 1_800_000_000)
  private static let file = """
    version: 1
    defaults: { channels: { inApp: true, push: true }, priority: normal, timeToLiveDays: 1, title: T, body: B }
    types: [{ code: 900, name: Later, category: X, title: "For {{name}}" }]
    events: [{ name: LaterHappened }]
    """

  private let ann = UserID(UUID())

  /// Seconds since the acceptance by timestamp and by id, and whether it is tried again.
  @Test(
    arguments: [
      (nil, nil, false), (0, nil, true), (599, nil, true), (600, nil, false), (86_400, nil, false),
      (nil, 0, true), (nil, 599, true), (nil, 601, false), (30, 86_400, true), (86_400, 30, false),
      (-30, nil, true), (-86_400, nil, false),
    ] as [(Double?, Double?, Bool)]
  )
  func `ten minutes from the acceptance, if the message says when that was`(
    timestamp: Double?,
    id: Double?,
    lasts: Bool
  ) {
    let message = BrokerMessage(
      body: [],
      messageID: id.map { RequestID(now: Self.now - $0).description },
      timestamp: timestamp.map { Self.now - $0 }
    )
    #expect(VersionSkewRetry().applies(to: message, now: Self.now) == lasts)
  }

  @Test func `no time at all dead-letters at once`() {
    let message = BrokerMessage(body: [], timestamp: Self.now)
    #expect(!VersionSkewRetry(limit: .zero).applies(to: message, now: Self.now))
    #expect(!VersionSkewRetry().applies(to: BrokerMessage(body: [], messageID: "order-7"), now: Self.now))
  }

  /// What a gateway with the new catalogue accepted: a request and an event.
  private func accept(_ router: TestRouter) async throws {
    try await router.publish(
      #"{"to":{"users":["\#(ann)"]},"type":"Later","data":{"name":"Ann"}}"#,
      id: RequestID(now: .now).description,
      type: "belfry.request",
      timestamp: .now
    )
    try await router.publish(
      #"{"name":"LaterHappened","audience":{"users":["\#(ann)"]},"payload":{}}"#,
      id: RequestID(now: .now).description,
      type: "belfry.event",
      key: Topology.eventKey,
      timestamp: .now
    )
  }

  @Test func `what only the other catalogue knows waits, others go on, and a new router serves it`() async throws {
    var router = TestRouter()
    let bob = UserID(UUID())
    try await accept(router)
    try await router.send(to: [bob])
    for _ in 0..<3 {
      try await router.run()
      #expect(router.isDone)
      #expect(router.stores.stored == [bob: 1])
      #expect(router.deadLettered.isEmpty)
      #expect(router.postponed.count == 2)
      #expect(router.postponed.allSatisfy { $0.expiration == .seconds(5) })
      try await router.endPause()
    }
    router.catalogue = Result { try Catalogue(overrides: Self.file) }
    try await router.run()
    #expect(router.isDone)
    #expect(router.stores.stored == [ann: 1, bob: 1])
    #expect(try router.dispatches(.push).flatMap(\.contents).map(\.title).contains("For Ann"))
    let relays = try router.realtime().flatMap(\.relays)
    #expect(relays.map(\.name) == ["LaterHappened"])
    #expect(relays.map(\.userIds) == [[ann]])
    #expect(router.deadLettered.isEmpty)
    #expect(router.postponed.isEmpty)
  }

  /// The other router's machine may be minutes off.
  @Test func `what a router puts back or sends on is dated by the time that all share`() async throws {
    let router = TestRouter()
    let publisher = RouterPublisher(publisher: router.broker) { Self.now }
    let id = RequestID(now: Self.now)
    try await publisher.putBack(BrokerMessage(body: [], timestamp: .now), as: id, after: ann)
    try await publisher.publish([ScheduledSend(requestId: id, at: Self.now, request: .null)])
    #expect(router.broker.messages(in: Topology.ingestQueue).map(\.timestamp) == [Self.now, Self.now])
  }

  @Test func `a part that another router cut waits as well`() async throws {
    let family = (0..<25).map { _ in UserID(UUID()) }
    var new = TestRouter()
    new.stores.setGroup("family:1", family)
    new.catalogue = Result { try Catalogue(overrides: Self.file) }
    new.maximumBatch = 1
    try await new.publish(
      #"{"to":{"group":"family:1"},"type":900,"data":{"name":"you"}}"#,
      id: RequestID(now: .now).description,
      type: "belfry.request"
    )
    // Dies when the chunks are there, before it takes one.
    while !new.broker.messages(in: Topology.ingestQueue).contains(where: { $0.type == RoutingOrder.chunkType }) {
      try await new.run(until: .init(step: 4, isAfter: true))
    }
    var old = new
    old.catalogue = TestRouter.catalogue
    try await old.run()
    #expect(old.deadLettered.isEmpty)
    #expect(!old.postponed.isEmpty)
    try await old.endPause()
    try await new.run()
    #expect(new.stores.stored.count == 25)
    #expect(new.stores.stored.values.allSatisfy { $0 == 1 })
  }

  @Test func `after ten minutes it is dead-lettered with its reason`() async throws {
    var router = TestRouter()
    try await accept(router)
    router.clock = { Date.now + 601 }
    try await router.run()
    #expect(router.isDone)
    #expect(
      Set(router.deadLettered) == [
        "invalid: type: 'Later' is not in the catalogue",
        "invalid: name: 'LaterHappened' is not an event of the catalogue",
      ]
    )
  }

  @Test func `a sender's own typo is dead-lettered at once`() async throws {
    let router = TestRouter()
    try await router.publish(TestRouter.body([ann], type: 900), id: "order-7", timestamp: .now)
    try await router.publish(TestRouter.body([ann], type: 900), timestamp: .now)
    try await router.run()
    #expect(router.deadLettered.count == 2)
    #expect(router.postponed.isEmpty)
  }

  @Test func `what cannot be put aside is dead-lettered, and its neighbours wait`() async throws {
    let router = TestRouter()
    try await accept(router)
    router.broker.failPublishes { message, exchange, _ in
      exchange == Topology.retryExchange && message.type == "belfry.event" ? BrokerError(.invalidMessage, "no") : nil
    }
    try await router.run()
    #expect(router.isDone)
    #expect(router.deadLettered.count == 1)
    #expect(router.postponed.map(\.type) == ["belfry.request"])
  }
}
