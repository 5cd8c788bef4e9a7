import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore
import TestSupport
import Testing

@testable import Router

/// What was stored decides, whatever would be decided when it is routed again.
@Suite struct BatchRouterTests {
  private let ann = UserID(UUID())

  /// Routes one request to Ann, with a death after it was stored and before anything was published.
  private func diedAfterStoring(_ router: TestRouter, expiresAt: Date? = nil) async throws {
    try await router.send(to: [ann], expiresAt: expiresAt)
    var step = 0
    repeat {
      step += 1
      try await router.run(until: .init(step: step, isAfter: true))
    } while router.stores.stored.isEmpty && !router.isDone
    #expect(router.stores.stored == [ann: 1])
    for queue in WorkQueue.allCases { #expect(try router.dispatches(queue).isEmpty) }
  }

  private func plan(_ router: TestRouter) throws -> RoutingPlan {
    try #require(router.stores.rows(of: ann).first).plan
  }

  @Test(arguments: [true, false])
  func `who switches off after it was stored gets what was decided, and nothing stays pending`(
    isMaster: Bool
  ) async throws {
    let router = TestRouter()
    try await diedAfterStoring(router)
    router.stores.change(ann) {
      if isMaster {
        $0.isEnabled = false
      } else {
        $0.typeChoices = ChannelChoices(inApp: false, push: false, email: false)
      }
    }
    try await router.run()
    #expect(router.isDone)
    for queue in [WorkQueue.push, .email] {
      let messages = try router.dispatches(queue)
      #expect(messages.flatMap(\.deliveries).map(\.userId) == [ann])
      #expect(messages.map(\.recheck) == [true])
    }
    #expect(try plan(router) == PerChannel(inApp: .deliver, push: .deliver, email: .deliver))
  }

  @Test func `who switches on after it was stored is still left out`() async throws {
    let router = TestRouter()
    router.stores.change(ann) { $0.isEnabled = false }
    try await diedAfterStoring(router)
    router.stores.change(ann) { $0.isEnabled = true }
    try await router.run()
    #expect(router.isDone)
    for queue in WorkQueue.allCases { #expect(try router.dispatches(queue).isEmpty) }
  }

  @Test func `who has nowhere to be reached any more is left out, and the log says why`() async throws {
    let router = TestRouter()
    try await diedAfterStoring(router)
    router.stores.change(ann) {
      $0.devices = []
      $0.email = nil
    }
    try await router.run()
    #expect(router.isDone)
    for queue in WorkQueue.allCases { #expect(try router.dispatches(queue).isEmpty) }
    #expect(
      try plan(router) == PerChannel(inApp: .deliver, push: .skip(.noActiveDevice), email: .skip(.noEmailAddress))
    )
  }

  @Test func `who has only devices without a provider by then is left out, and nothing is dead-lettered`() async throws
  {
    let router = TestRouter()
    try await diedAfterStoring(router)
    router.stores.change(ann) { $0.devices[0].platform = .webPush }
    try await router.run()
    #expect(router.isDone)
    #expect(try router.dispatches(.push).isEmpty)
    #expect(try plan(router)[.push] == .skip(.noProvider))
  }

  @Test func `who has no device of a provider of the deployment is left out, whichever those are`() async throws {
    for (providers, platform, decision) in [
      ([], DevicePlatform.android, ChannelDecision.skip(.noProvider)), ([.webPush], .android, .skip(.noProvider)),
      ([.fcm], .webPush, .skip(.noProvider)), ([.fcm], .android, .deliver),
    ] as [([DevicePlatform.Carrier], DevicePlatform, ChannelDecision)] {
      var router = TestRouter()
      router.channels = Channel.routing(pushingBy: PushProviders(providers))
      router.stores.change(ann) { $0.devices[0].platform = platform }
      try await router.send(to: [ann])
      try await router.run()
      #expect(router.isDone)
      #expect(try plan(router) == PerChannel(inApp: .deliver, push: decision, email: .deliver))
      #expect(try router.dispatches(.push).count == (decision == .deliver ? 1 : 0))
      #expect(try router.dispatches(.email).count == 1)
    }
  }

  @Test func `what was stored before its provider was given up is left out when it comes again`() async throws {
    var router = TestRouter()
    try await diedAfterStoring(router)
    router.channels = Channel.routing(pushingBy: PushProviders([]))
    try await router.run()
    #expect(router.isDone)
    #expect(try router.dispatches(.push).isEmpty)
    #expect(try plan(router)[.push] == .skip(.noProvider))
  }

  @Test func `what expires between storing and the repetition is handed on, so that its end is recorded`() async throws
  {
    var router = TestRouter()
    let expiry = Date.now + 60
    try await diedAfterStoring(router, expiresAt: expiry)
    router.clock = { expiry + 60 }
    try await router.run()
    #expect(router.isDone)
    for queue in [WorkQueue.push, .email] {
      let messages = try router.dispatches(queue)
      #expect(messages.flatMap(\.deliveries).map(\.userId) == [ann])
      #expect(messages.map(\.recheck) == [true])
      // By which the dispatchers record it as expired; see DispatchWorkerTests.
      #expect(messages.flatMap(\.contents).allSatisfy { $0.expiresAt < expiry + 1 })
    }
    #expect(try plan(router) == PerChannel(inApp: .deliver, push: .deliver, email: .deliver))
  }

  @Test func `what expires before it is stored is left out, and the log says why`() async throws {
    var router = TestRouter()
    let expiry = Date.now + 60
    router.clock = { expiry + 60 }
    try await router.send(to: [ann], expiresAt: expiry)
    try await router.run()
    for queue in WorkQueue.allCases { #expect(try router.dispatches(queue).isEmpty) }
    #expect(
      try plan(router) == PerChannel(inApp: .skip(.expired), push: .skip(.expired), email: .skip(.expired))
    )
  }

  @Test func `words of another catalogue do not change what was said`() async throws {
    let router = TestRouter()
    try await diedAfterStoring(router)
    router.stores.rename(ann, title: "As it was")
    try await router.run()
    #expect(try router.dispatches(.push).flatMap(\.contents).map(\.title) == ["As it was"])
  }

  @Test func `the same request twice in one batch is stored and dispatched once`() async throws {
    let router = TestRouter()
    let id = RequestID(now: .now)
    for _ in 0..<2 {
      try await router.publish(TestRouter.body([ann]), id: id.description, type: IngestKind.request.messageType)
    }
    try await router.run()
    #expect(router.stores.stored == [ann: 1])
    #expect(try router.dispatches(.push).count == 1)
  }
}
