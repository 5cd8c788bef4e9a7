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
    for queue in WorkQueue.allCases {
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

  @Test func `what expires between storing and the repetition is handed on, so that its end is recorded`() async throws
  {
    var router = TestRouter()
    let expiry = Date.now + 60
    try await diedAfterStoring(router, expiresAt: expiry)
    router.clock = { expiry + 60 }
    try await router.run()
    #expect(router.isDone)
    for queue in WorkQueue.allCases {
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

  // MARK: What was held

  /// Ann's notification, held on push and mail, and the part that is to be routed when it is due.
  private func held(_ router: TestRouter) async throws -> RoutedPart {
    let type = try #require(try TestRouter.catalogue.get().type(.code(12)))
    let request = RequestID(now: .now)
    let content = NotificationContent(
      type: type,
      text: type.template.render(title: "Held", body: nil, data: [:]),
      data: [:],
      relatedEntityType: nil,
      relatedEntityId: nil,
      collapseKey: nil,
      createdAt: .now,
      expiresAt: .now + 3_600
    )
    let hold = ChannelDecision.hold(until: .now, .quietHours)
    let notification = NewNotification(
      id: NotificationID(request: request, recipient: ann),
      userID: ann,
      requestID: request,
      content: 0,
      plan: PerChannel(inApp: .deliver, push: hold, email: hold)
    )
    let connection = InMemoryStores.Connection(stores: router.stores, life: Lifetime())
    _ = try await connection.store([notification], contents: [content])
    return RoutedPart(requestId: request, content: content, channels: [.push], recipients: [ann], due: .now)
  }

  private func publish(_ part: RoutedPart, _ router: TestRouter) async throws {
    try await router.publish(String(decoding: QueueCoder.encode(part), as: UTF8.self), type: part.messageType)
  }

  @Test func `what was held is not sent before it is due`() async throws {
    let router = TestRouter()
    var part = try await held(router)
    part.due = nil
    try await publish(part, router)
    try await router.run()
    #expect(router.isDone)
    #expect(try router.dispatches(.push).isEmpty)
  }

  @Test func `what was held is decided afresh when it is due, on the channels that are due`() async throws {
    for wantsIt in [true, false] {
      let router = TestRouter()
      let part = try await held(router)
      router.stores.change(ann) { $0.isEnabled = wantsIt }
      try await publish(part, router)
      try await router.run()
      #expect(router.isDone)
      #expect(router.stores.stored == [ann: 1])
      #expect(try router.dispatches(.push).flatMap(\.deliveries).count == (wantsIt ? 1 : 0))
      #expect(try router.dispatches(.email).isEmpty)
      #expect(try plan(router)[.push] == (wantsIt ? .deliver : .skip(.notificationsOff)))
      #expect(try plan(router)[.email]?.heldUntil != nil)
    }
  }

  @Test func `what was read while it was held is left out when it is due, and the log says why`() async throws {
    let router = TestRouter()
    let part = try await held(router)
    router.stores.read(ann)
    try await publish(part, router)
    try await router.run()
    #expect(router.isDone)
    #expect(try router.dispatches(.push).isEmpty)
    #expect(try plan(router)[.push] == .skip(.read))
  }

  @Test func `what was held and expires before it is due is left out, and the log says why`() async throws {
    var router = TestRouter()
    let part = try await held(router)
    router.clock = { part.content.expiresAt + 60 }
    try await publish(part, router)
    try await router.run()
    #expect(router.isDone)
    #expect(try router.dispatches(.push).isEmpty)
    #expect(try plan(router)[.push] == .skip(.expired))
  }

  /// Messages of one request in one batch: its send (s), and what is due of it on push (p), on email (e), or on push a
  /// minute later (P).
  @Test(arguments: [
    // A copy, however often, is none.
    ("ss", 0, 0), ("pp", 1, 0), ("ppp", 1, 0),
    // What is due is none of the send, nor of what is due on another channel.
    ("sp", 1, 0), ("ssppss", 1, 0), ("pe", 1, 1),
    ("spe", 1, 1), ("speeps", 1, 1),
    // A late copy of the send leaves alone what was due.
    ("ps", 1, 0), ("pes", 1, 1), ("pse", 1, 1),
    // What is due once more is sent once more, for dispatchers to look at.
    ("pP", 2, 0),
  ])
  func `in one batch, all that is asked of a notification is done, and each thing once`(
    messages: String,
    pushes: Int,
    mails: Int
  ) async throws {
    let router = TestRouter()
    let part = try await held(router)
    let ben = UserID(UUID())
    for kind in messages {
      var message = part
      switch kind {
      case "s":
        message.due = nil
        message.channels = nil
        message.recipients = [ben, ann]
      case "e": message.channels = [.email]
      case "P": message.due = part.due.map { $0 + 60 }
      default: break
      }
      try await publish(message, router)
    }
    try await router.run()
    #expect(router.isDone && router.parked.isEmpty)
    #expect(router.stores.stored == (messages.contains("s") ? [ann: 1, ben: 1] : [ann: 1]))
    for (queue, count) in [(WorkQueue.push, pushes), (.email, mails)] {
      let dispatches = try router.dispatches(queue)
      let others = dispatches.flatMap(\.deliveries).filter { $0.userId != ann }
      #expect(others.count == (messages.contains("s") ? 1 : 0))
      let anns = dispatches.filter { $0.deliveries.contains { $0.userId == ann } }
      #expect(anns.count == count)
      #expect(!anns.contains { !$0.recheck })
    }
    let isHeld = try plan(router)[.push]?.heldUntil != nil
    #expect(isHeld == !messages.contains("p"))
  }

  @Test func `a death anywhere loses nothing that was held, and sends it unmarked at most once`() async throws {
    let whole = TestRouter()
    try await publish(try await held(whole), whole)
    let steps = try await whole.run().steps
    for step in 1...steps {
      for isAfter in [false, true] {
        let router = TestRouter()
        try await publish(try await held(router), router)
        try await router.run(until: .init(step: step, isAfter: isAfter))
        try await router.run()
        let messages = try router.dispatches(.push)
        #expect(router.isDone)
        #expect(!messages.isEmpty)
        let areMarked = messages.allSatisfy(\.recheck)
        #expect(areMarked)
        #expect(try plan(router)[.push] == .deliver)
      }
    }
  }
}
