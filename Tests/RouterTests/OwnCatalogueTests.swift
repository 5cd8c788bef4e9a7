import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore
import TestSupport
import Testing

@testable import Router

/// Routers whose catalogue begins with nothing (`builtIn: false`).
@Suite struct OwnCatalogueTests {
  private static let shop = Result {
    try Catalogue(
      overrides: """
        version: 1
        builtIn: false
        defaults: { channels: { inApp: true, push: true }, priority: normal, timeToLiveDays: 7, title: T, body: B }
        types:
        - { code: 1, name: OrderShipped, category: Orders, title: "{{order}} is on its way", body: "From {{shop}}" }
        events:
        - { name: OrderPacked, relay: false }
        - { name: BalanceUpdated, arguments: [left], amounts: [left] }
        rules:
        - { name: shipped, on: OrderPacked, user: "{{buyer}}", notify: OrderShipped, data: { order: "{{order}}", shop: Ours } }
        """
    )
  }

  private func with(_ catalogue: Result<Catalogue, any Error>, _ body: (RuleWorld) async throws -> Void) async throws {
    try await RuleWorld.with { world in
      var world = world
      world.router.catalogue = catalogue
      try await body(world)
    }
  }

  @Test func `type 1 is the operator's, whether sent or made by a rule`() async throws {
    try await with(Self.shop) { world in
      let ann = try await world.person()
      let body = #"{"to":{"users":["\#(ann)"]},"type":1,"data":{"order":"A-1","shop":"Tea & Co"}}"#
      try await world.router.publish(
        body,
        id: RequestID(now: world.clock.now).description,
        type: IngestKind.request.messageType
      )
      try await world.run()
      try await world.report("OrderPacked", #""buyer":"\#(ann)","order":"A-2""#)
      try await world.run()
      let notified = try await world.notified()
      #expect(notified.map(\.type) == ["OrderShipped", "OrderShipped"])
      #expect(Set(notified.map(\.title)) == ["A-1 is on its way", "A-2 is on its way"])
      #expect(Set(notified.map(\.body)) == ["From Tea & Co", "From Ours"])
      #expect(world.router.deadLettered == [] && world.router.isDone)
    }
  }

  @Test func `no built-in rule fires, also where the operator has an event of the name that it listens to`()
    async throws
  {
    let (falls, before) = (#""newBalance":8,"previousBalance":12.5"#, #""left":4"#)
    try await with(Self.shop) { world in
      let mia = try await world.person()
      let audience = #"{"users":["\#(mia)"]}"#
      try await world.report("BalanceUpdated", #""childId":"\#(mia)",\#(falls),\#(before)"#, audience: audience)
      try await world.run()
      #expect(try await world.notified() == [])
      #expect(try await world.states() == 0)
      let relays = try world.router.realtime().flatMap(\.relays)
      #expect(relays.map(\.name) == ["BalanceUpdated"] && relays.map(\.userIds) == [[mia]])
      #expect(relays.map(\.arguments) == [["left"]] && relays.map(\.amounts) == [["left"]])
    }
  }

  @Test
  func `what names a built-in type or event is unknown: it waits for a router that knows it, or is dead-lettered`()
    async throws
  {
    let empty = Result { try Catalogue(overrides: "version: 1\nbuiltIn: false") }
    for catalogue in [Self.shop, empty] {
      try await with(catalogue) { world in
        let mia = try await world.person()
        // As gateways publish them: one of them had it in its catalogue.
        try await world.report("GoalUpdated", #""userId":"\#(mia)","goalId":"g""#)
        let id = RequestID(now: world.clock.now)
        let body = TestRouter.body([mia], type: 12)
        try await world.router.publish(body, id: id.description, type: IngestKind.request.messageType)
        try await world.run()
        #expect(world.router.postponed.count == 2)
        // As any sender does.
        try await world.router.publish(TestRouter.body([mia], type: 99))
        try await world.router.publish(#"{"name":"AppOpened","payload":{"userId":"\#(mia)"}}"#, key: Topology.eventKey)
        try await world.run()
        #expect(
          Set(world.router.deadLettered) == [
            "invalid: type: 99 is not in the catalogue", "invalid: name: 'AppOpened' is not an event of the catalogue",
          ]
        )
        #expect(try await world.notified() == [])
      }
    }
  }
}
