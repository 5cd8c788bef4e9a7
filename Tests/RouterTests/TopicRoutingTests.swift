import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore
import TestSupport
import Testing
import WallClock

@testable import Broker
@testable import Router

/// What the router makes of a send to a topic.
@Suite struct TopicRoutingTests {
  @discardableResult
  private func send(
    _ to: String,
    _ router: TestRouter,
    id: RequestID = RequestID(now: .now),
    more: String = ""
  ) async throws -> RequestID {
    let body = #"{"to":\#(to),"type":99,"title":"Hello","body":"World"\#(more)}"#
    try await router.publish(body, id: id.description, type: IngestKind.request.messageType)
    return id
  }

  @Test func `a topic is one dispatch message with one target, and nobody's notification`() async throws {
    let router = TestRouter()
    let request = try await send(#"{"topic":"news"}"#, router, more: #","data":{"article":"7"},"collapseKey":"k""#)
    try await router.run()
    #expect(router.isDone && router.deadLettered.isEmpty)
    let message = try #require(try router.dispatches(.push).first)
    #expect(try router.dispatches(.push).count == 1)
    #expect(message.v == 2 && !message.recheck && message.deliveries.count == 1)
    let delivery = message.deliveries[0]
    #expect(delivery.notificationId.uuid == request.uuid)
    #expect(!delivery.hasBadge && delivery.hasSound)
    #expect(delivery.targets.map(\.address) == ["news"] && delivery.targets.map(\.audience) == [.topic])
    #expect(message.contents[0].title == "Hello" && message.contents[0].data == ["article": "7"])
    #expect(message.contents[0].collapseKey == "k")
    #expect(router.stores.stored.isEmpty && router.stores.forNobody.isEmpty)
    #expect(router.stores.topics[request]?.topic == (try TopicAudience(topic: "news")))
    #expect(try router.realtime().isEmpty && router.dispatches(.email).isEmpty)
  }

  @Test func `a condition goes with its neighbours, and is worded as the deployment speaks`() async throws {
    let router = TestRouter()
    let ann = UserID(UUID())
    router.stores.change(ann) { $0.locale = "de" }
    try await router.send(to: [ann])
    try await router.publish(
      #"{"to":{"condition":"'a' in topics || 'b' in topics"},"type":10,"data":{"amount":"$1","balance":"$2"}}"#,
      id: RequestID(now: .now).description,
      type: IngestKind.request.messageType
    )
    try await router.run()
    let messages = try router.dispatches(.push)
    let topic = try #require(messages.first { $0.deliveries.contains { $0.targets.contains { $0.audience != nil } } })
    #expect(messages.count == 2 && topic.deliveries[0].targets[0].audience == .condition)
    let type = try #require(try TestRouter.catalogue.get().type(.code(10)))
    let text = type.template.render(title: nil, body: nil, data: ["amount": "$1", "balance": "$2"])
    #expect(topic.contents[0].body == text.body && !text.body.isEmpty)
    #expect(router.stores.stored == [ann: 1])
  }

  @Test func `a date in it is that of the deployment's time zone`() async throws {
    var router = TestRouter()
    router.home = try #require(Zone("Pacific/Auckland"))
    router.catalogue = Result {
      try Catalogue(
        overrides: """
          version: 1
          defaults: { channels: { inApp: true, push: true }, priority: normal, timeToLiveDays: 1, title: T, body: B }
          types: [{ code: 901, name: Due, category: X, title: Due, body: "Due {{at|date}}" }]
          """
      )
    }
    // The next day there.
    try await router.publish(
      #"{"to":{"topic":"news"},"type":901,"data":{"at":"2026-11-21T23:30:00Z"}}"#,
      id: RequestID(now: .now).description,
      type: IngestKind.request.messageType
    )
    try await router.run()
    let content = try #require(try router.dispatches(.push).first?.contents.first)
    #expect(content.body.contains("22") && !content.body.contains("21"), "\(content.body)")
  }

  @Test(arguments: [false, true])
  func `routed again, it is looked up before it is pushed, and what has its outcome is left out`(_ isFinished: Bool)
    async throws
  {
    let router = TestRouter()
    let request = try await send(#"{"topic":"news"}"#, router)
    try await router.run()
    if isFinished {
      let record = DeliveryStore.Record(
        userID: UserID(UUID()),
        notificationID: NotificationID(request.uuid),
        channel: .push,
        target: "news",
        outcome: .delivered,
        attempts: 1,
        audience: .topic
      )
      try await InMemoryStores.Connection(stores: router.stores, life: Lifetime()).record([record])
    }
    try await send(#"{"topic":"news"}"#, router, id: request)
    try await router.run()
    #expect(try router.dispatches(.push).map(\.recheck) == (isFinished ? [false] : [false, true]))
    #expect(router.isDone)
  }

  @Test func `a router that dies between note and message sends it all the same`() async throws {
    let router = TestRouter()
    try await send(#"{"topic":"news"}"#, router)
    var step = 0
    while !router.isDone, step < 20 {
      step += 1
      for isAfter in [false, true] where !router.isDone {
        try await router.run(until: .init(step: step, isAfter: isAfter))
      }
    }
    let pushes = try router.dispatches(.push)
    #expect(router.isDone && !pushes.isEmpty)
    #expect(!pushes.dropFirst().map(\.recheck).contains(false))
  }

  @Test func `one that was withdrawn before it was routed is not sent`() async throws {
    let router = TestRouter()
    let request = RequestID(now: .now)
    router.stores.withdraw(request)
    try await send(#"{"topic":"news"}"#, router, id: request)
    try await send(#"{"topic":"sport"}"#, router)
    try await router.run()
    #expect(try router.dispatches(.push).flatMap(\.deliveries).flatMap(\.targets).map(\.address) == ["sport"])
    #expect(router.isDone)
  }

  @Test func `a later send to a topic waits, and is pushed when it is due`() async throws {
    let router = TestRouter()
    let at = Date.now + 3_600
    let request = try await send(#"{"topic":"news"}"#, router, more: #","sendAt":"\#(at.rfc3339)""#)
    try await router.run()
    #expect(router.stores.scheduled == [request])
    #expect(try router.dispatches(.push).isEmpty)
  }
}
