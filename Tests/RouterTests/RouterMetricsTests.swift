import Foundation
import Metrics
import MetricsTestKit
import NotificationModel
import NotificationQueue
@testable import NotificationStore
import Synchronization
import TestSupport
import Testing
import WallClock

@testable import Postgres
@testable import Router

/// What operators see of routing.
@Suite struct RouterMetricsTests {
  private let backend = TestMetrics()

  private struct Poison: Error {}

  private func measuredRouter() -> TestRouter {
    var router = TestRouter()
    router.metrics = RouterMetrics(factory: backend)
    return router
  }

  /// Counts by their dimensions' values, e.g. `push deliver none`.
  private func counts(_ label: String) -> [String: Int64] {
    Dictionary(
      uniqueKeysWithValues: backend.counters.filter { $0.label == label }.map { counter in
        (counter.dimensions.map { $0.1 }.joined(separator: " "), counter.totalValue)
      }
    )
  }

  @Test func `notifications are counted by channel and decision, once each`() async throws {
    let router = measuredRouter()
    let people = (0..<3).map { _ in UserID(UUID()) }
    router.stores.change(people[0]) { $0.devices = [] }
    router.stores.change(people[1]) { $0.isEnabled = false }
    let id = try await router.send(to: people)
    // The same again is no other notification.
    try await router.publish(TestRouter.body(people), id: id.description, type: IngestKind.request.messageType)
    try await router.run()
    try await router.publish(TestRouter.body(people), id: id.description, type: IngestKind.request.messageType)
    try await router.run()
    #expect(
      counts("belfry_router_decisions") == [
        "inApp deliver none": 2, "inApp skip notificationsOff": 1, "push deliver none": 1,
        "push skip noActiveDevice": 1,
        "push skip notificationsOff": 1, "email deliver none": 2, "email skip notificationsOff": 1,
      ]
    )
    #expect(try backend.expectTimer("belfry_router_batch_duration").values.count == 2)
    #expect(counts("belfry_router_batch_failures").isEmpty)
  }

  @Test func `what is decided afresh counts as what it has become`() throws {
    let metrics = try #require(RouterMetrics(factory: backend))
    let user = UserID(UUID())
    let hold = ChannelDecision.hold(until: .now, .digest)
    let request = RequestID(now: .now)
    let notification = NewNotification(
      id: NotificationID(request: request, recipient: user),
      userID: user,
      requestID: request,
      content: 0,
      plan: PerChannel(inApp: .deliver, push: hold, email: hold)
    )
    metrics.stored([notification], [StoredNotification(isNew: true, seq: 1, unread: 1, former: nil)])
    metrics.changed([DecisionChange(id: notification.id, userID: user, from: hold, to: .deliver)], on: .push)
    #expect(
      counts("belfry_router_decisions") == [
        "inApp deliver none": 1, "push hold digest": 1, "email hold digest": 1, "push deliver none": 1,
      ]
    )
  }

  @Test func `what comes due is counted, and what it is delivered in`() async throws {
    var world = HeldWorld()
    world.router.metrics = RouterMetrics(factory: backend)
    let until = world.clock.now + 60
    world.router.stores.change(world.ann) { $0.pausedUntil = until }
    try await world.send(HeldWorld.plain, 5)
    try await world.send(HeldWorld.mailIfUnread, 1)
    try await world.route()
    try await world.wait(60)
    #expect(counts("belfry_router_held_claimed") == ["push paused": 5])
    #expect(counts("belfry_router_compositions") == ["push": 1])
    try await world.wait(3_600)
    #expect(counts("belfry_router_held_claimed") == ["push paused": 5, "email unread": 1])
    #expect(
      counts("belfry_router_decisions") == [
        "inApp deliver none": 6, "push hold paused": 5, "email skip preferenceOff": 5, "push skip composed": 5,
        "push skip preferenceOff": 1, "email hold unread": 1, "email deliver none": 1,
      ]
    )
  }

  @Test func `events are counted by what rules made of them, and so are timers and notices`() async throws {
    try await RuleWorld.with { world in
      var world = world
      world.router.metrics = RouterMetrics(factory: backend)
      let (mia, ben) = (try await world.person(), try await world.person())
      for (balance, user) in [("1", mia), ("50", ben), (#""much""#, ben)] {
        let payload = #""childId":"\#(user)","newBalance":\#(balance),"previousBalance":12"#
        try await world.report("BalanceUpdated", payload)
      }
      try await world.report(
        "CheckedIn",
        #""userId":"\#(mia)","userName":"M","contactIds":["\#(ben)"],"expiresAt":"\#((world.clock.now + 3_600).rfc3339)""#
      )
      try await world.run()
      #expect(counts("belfry_router_events_judged") == ["fired": 1, "quiet": 2, "refused": 1])
      #expect(counts("belfry_router_rule_notices") == ["event": 1])
      #expect(counts("belfry_router_rule_timers").isEmpty)
      try await world.run(at: world.clock.now + 3_601)
      // Half an hour before and at the end: the first is too late, the second is for two.
      #expect(counts("belfry_router_rule_timers") == ["": 2])
      #expect(counts("belfry_router_rule_notices")["timer"] == 2)
    }
  }

  @Test func `what fails is counted by what was done about it, and so is what is dead-lettered`() async throws {
    let router = measuredRouter()
    let people = (0..<4).map { _ in UserID(UUID()) }
    for person in people { try await router.send(to: [person]) }
    try await router.publish("nonsense", id: "x")
    let failures = Mutex(2)
    router.stores.fail { call in
      guard case .store(let items) = call else { return nil }
      let isAway = failures.withLock { left in
        left -= 1
        return left >= 0
      }
      if isAway { return PostgresError(.connectionLost) }
      return items.contains { $0.userID == people[2] } ? Poison() : nil
    }
    try await router.run()
    #expect(router.deadLettered.count == 2)
    #expect(counts("belfry_router_batch_failures") == ["wait": 2, "split": 2, "park": 1])
    #expect(try backend.expectCounter("belfry_router_parked_messages").totalValue == 2)
    #expect(try backend.expectTimer("belfry_router_batch_duration").values.count == 1)
  }

  @Test func `where nobody measures there is nothing to pay for`() {
    #expect(RouterMetrics(factory: NOOPMetricsHandler.instance) == nil)
  }
}
