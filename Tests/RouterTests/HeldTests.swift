import Broker
import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore
import Synchronization
import TestSupport
import Testing
import WallClock

@testable import Postgres
@testable import Router

/// What waits is delivered when it is due, as it is by then, and never twice.
@Suite struct HeldTests {
  private let hour: TimeInterval = 3_600

  // MARK: Quiet hours and pauses

  @Test func `six pushes held through a night are one in the morning, and in the inbox at once`() async throws {
    let world = HeldWorld()
    let second = Int(world.clock.now.timeIntervalSince1970) % 86_400
    // An hour ago to in eight hours, whatever time it is.
    let start = try #require(LocalTime(secondOfDay: (second + 82_800) % 86_400))
    let end = try #require(LocalTime(secondOfDay: (second + 28_800) % 86_400))
    let hours = try #require(QuietHours(start: start, end: end, zone: .utc))
    world.router.stores.change(world.ann) { $0.quietHours = hours }
    try await world.send(HeldWorld.plain, 6)
    try await world.route()
    #expect(try world.notified().isEmpty)
    #expect(world.router.stores.counted[world.ann] == 6)
    #expect(world.router.stores.waiting.map(\.reason) == Array(repeating: .quietHours, count: 6))
    try await world.wait(8 * hour - 1)
    #expect(try world.notified().isEmpty)
    // Ends are spread over a minute.
    try await world.wait(62)
    #expect(try world.notified() == ["6 notifications: Plain 1, Plain 2, Plain 3 and 3 more"])
    #expect(world.decisions() == Array(repeating: .skip(.composed), count: 6))
    #expect(world.router.stores.held.isEmpty)
    #expect(world.router.stores.counted[world.ann] == 6)
    let one = try #require(try world.deliveries().first)
    #expect(one.recheck)
    #expect(one.content.type == HeldWorld.plain)
    #expect(one.content.data.isEmpty)
  }

  private func paused(_ world: HeldWorld, for seconds: TimeInterval) {
    let until = world.clock.now + seconds
    world.router.stores.change(world.ann) { $0.pausedUntil = until }
  }

  @Test func `up to three go out one by one, and one that its quiet hours make a digest takes all with it`()
    async throws
  {
    for (summaries, texts) in [
      (0, ["Plain 1: Body", "Plain 2: Body", "Plain 3: Body"]),
      (1, ["4 notifications: Plain 1, Plain 2, Plain 3 and 1 more"]),
    ] {
      let world = HeldWorld()
      paused(world, for: hour)
      try await world.send(HeldWorld.plain, 3)
      try await world.send(HeldWorld.summary, summaries, from: 9)
      try await world.route()
      try await world.wait(hour)
      #expect(try world.notified() == texts)
      #expect(world.router.stores.held.isEmpty)
      #expect(try world.deliveries().allSatisfy { $0.content.type == (summaries == 0 ? HeldWorld.plain : 0) })
    }
  }

  @Test func `what changes while it is held counts when it is due`() async throws {
    typealias Change = @Sendable (HeldWorld) -> Void
    let changes: [(Change, ChannelDecision)] = [
      ({ world in world.router.stores.change(world.ann) { $0.isEnabled = false } }, .skip(.notificationsOff)),
      ({ world in world.router.stores.change(world.ann) { $0.typeChoices[.push] = false } }, .skip(.preferenceOff)),
      ({ world in world.router.stores.change(world.ann) { $0.devices = [] } }, .skip(.noActiveDevice)),
      ({ world in world.router.stores.read(world.ann) }, .skip(.read)),
      ({ world in world.clock.advance(by: 86_400) }, .skip(.expired)),
    ]
    for (change, decision) in changes {
      let world = HeldWorld()
      paused(world, for: hour)
      try await world.send(HeldWorld.plain, 5)
      try await world.route()
      change(world)
      try await world.wait(hour)
      #expect(try world.notified().isEmpty)
      #expect(world.decisions() == Array(repeating: decision, count: 5))
      #expect(world.router.stores.held.isEmpty)
    }
  }

  @Test func `what is due goes to the devices of the providers that the deployment has by then`() async throws {
    for (providers, decision) in [([], .skip(.noProvider)), ([.fcm], .deliver)]
      as [([DevicePlatform.Carrier], ChannelDecision)]
    {
      var world = HeldWorld()
      paused(world, for: hour)
      try await world.send(HeldWorld.plain)
      try await world.route()
      world.router.channels = Channel.routing(pushingBy: PushProviders(providers))
      try await world.wait(hour)
      #expect(world.decisions() == [decision])
      #expect(try world.notified().count == (decision == .deliver ? 1 : 0))
      #expect(world.router.stores.held.isEmpty)
    }
  }

  @Test func `what was deleted while it was held is gone`() async throws {
    let world = HeldWorld()
    paused(world, for: hour)
    try await world.send(HeldWorld.plain, 5)
    try await world.route()
    world.router.stores.delete(world.ann)
    try await world.wait(hour)
    #expect(try world.notified().isEmpty)
    #expect(world.router.stores.held.isEmpty)
  }

  @Test func `a longer pause holds again, and what is sent then is delivered as one`() async throws {
    let world = HeldWorld()
    paused(world, for: hour)
    try await world.send(HeldWorld.plain, 4)
    try await world.route()
    paused(world, for: 2 * hour)
    try await world.wait(hour)
    #expect(try world.notified().isEmpty)
    #expect(world.router.stores.waiting.map(\.due) == Array(repeating: world.clock.now + hour, count: 4))
    #expect(world.decisions() == Array(repeating: .hold(until: world.clock.now + hour, .paused), count: 4))
    try await world.wait(hour)
    #expect(try world.notified() == ["4 notifications: Plain 1, Plain 2, Plain 3 and 1 more"])
  }

  // MARK: Waiting times, digests, throttles

  @Test func `mail goes out only if it is still unread after the wait`() async throws {
    for isRead in [true, false] {
      let world = HeldWorld()
      try await world.send(HeldWorld.mailIfUnread, 5)
      try await world.route()
      try await world.wait(899)
      #expect(try world.notified(.email).isEmpty)
      if isRead { world.router.stores.read(world.ann) }
      try await world.wait(1 + 0.01)
      // Mails are not composed.
      #expect(try world.notified(.email) == (isRead ? [] : (1...5).map { "Mail \($0): Body" }))
      #expect(world.decisions(.email) == Array(repeating: isRead ? .skip(.read) : .deliver, count: 5))
      #expect(world.router.stores.held.isEmpty)
    }
  }

  @Test func `a digest's first opens the window, all of its key are delivered as one, and the next opens another`()
    async throws
  {
    let world = HeldWorld()
    try await world.send(HeldWorld.digest, 2)
    try await world.route()
    world.clock.advance(by: 600)
    try await world.send(HeldWorld.digest, 2, from: 3)
    try await world.send(HeldWorld.digest, 1, from: 7, talk: "b")
    try await world.route()
    try await world.wait(hour - 601)
    #expect(try world.notified().isEmpty)
    try await world.wait(1)
    #expect(try world.notified() == ["4 messages: the last is 4"])
    #expect(try world.deliveries().first?.content.type == HeldWorld.digest)
    // What the payload does not carry is in the key all the same.
    #expect(try world.deliveries().first?.content.data == ["n": "4"])
    try await world.send(HeldWorld.digest, 1, from: 5)
    try await world.route()
    try await world.wait(600)
    #expect(try world.notified().last == "Message 7: Body")
    try await world.wait(hour)
    #expect(try world.notified() == ["4 messages: the last is 4", "Message 7: Body", "Message 5: Body"])
    #expect(world.router.stores.held.isEmpty)
  }

  @Test func `a mail of several lists them, and other channels and single mails do not`() async throws {
    let world = HeldWorld()
    try await world.send(HeldWorld.mailDigest, 22)
    try await world.send(HeldWorld.digest, 2)
    try await world.send(HeldWorld.mailIfUnread)
    try await world.route()
    try await world.wait(hour)
    let mails = try world.deliveries(.email).map(\.content)
    #expect(Set(mails.map(\.title)) == ["22 letters", "Mail 1"])
    let listing = try #require(mails.first { $0.title == "22 letters" }?.listing)
    #expect(listing.items.map(\.title) == (1...20).map { "Letter \($0)" } && listing.more == 2)
    #expect(listing.items.allSatisfy { $0.body == "From a" })
    #expect(mails.first { $0.title == "Mail 1" }?.listing == nil)
    #expect(try world.deliveries().allSatisfy { $0.content.listing == nil })
  }

  @Test func `a pause holds no mail, so that mails of several categories are never one`() async throws {
    let world = HeldWorld()
    paused(world, for: hour)
    try await world.send(HeldWorld.note, 2)
    try await world.send(HeldWorld.offer, 2, from: 3)
    try await world.route()
    #expect(try world.notified(.email) == ["Note 1: Body", "Note 2: Body"])
    #expect(try world.notified(.emailBulk) == ["Offer 3: Body", "Offer 4: Body"])
    let bulk = try world.deliveries(.emailBulk).map(\.content)
    #expect(bulk.allSatisfy { $0.mail == MailHandling(stream: .bulk, mayUnsubscribe: true) && $0.category == "Offers" })
    #expect(try world.notified().isEmpty)
    try await world.wait(hour)
    #expect(try world.notified() == ["2 notifications: Offer 3, Offer 4"])
    #expect(try world.deliveries(.email).count == 2 && world.deliveries(.emailBulk).count == 2)
  }

  @Test func `a digest that would be too long is sent to nobody, and each of its notifications says so`() async throws {
    let world = HeldWorld()
    let talk = String(repeating: "a", count: 2_001)
    try await world.send(HeldWorld.wordy, 2, talk: talk)
    try await world.route()
    try await world.wait(hour)
    #expect(try world.notified().isEmpty)
    #expect(world.decisions() == [.skip(.textTooLong), .skip(.textTooLong)])
    #expect(world.router.stores.held.isEmpty && world.router.stores.counted[world.ann] == 2)
    // One of a kind says nothing but its own words.
    try await world.send(HeldWorld.wordy, 1, from: 3, talk: talk)
    try await world.route()
    try await world.wait(hour)
    #expect(try world.notified() == ["Wordy 3: Body"])
  }

  @Test func `what waited with more words than a message has room for ends as messageTooLarge`() async throws {
    let world = HeldWorld()
    paused(world, for: hour)
    try await world.send(HeldWorld.plain, 2)
    try await world.route()
    // As it was stored before texts had limits.
    world.router.stores.rename(world.ann, title: String(repeating: "a", count: DispatchMessage.maximumSize))
    try await world.wait(hour)
    #expect(try world.notified().isEmpty)
    #expect(world.decisions() == [.deliver, .deliver])
    #expect(world.router.stores.outcomes.map(\.reason) == ["messageTooLarge", "messageTooLarge"])
    #expect(world.router.stores.held.isEmpty)
  }

  @Test func `what is sent at once with more than a message has room for ends so, and its neighbours arrive`()
    async throws
  {
    let world = HeldWorld()
    let ben = UserID(UUID())
    world.router.stores.change(world.ann) {
      $0.devices[0].token = String(repeating: "a", count: DispatchMessage.maximumSize)
    }
    let users = #"["\#(world.ann)","\#(ben)"]"#
    try await world.router.publish(
      #"{"to":{"users":\#(users)},"type":\#(HeldWorld.plain),"data":{"n":"1"}}"#,
      id: RequestID(now: world.clock.now).description,
      type: IngestKind.request.messageType
    )
    try await world.route()
    #expect(try world.router.dispatches(.push).flatMap(\.deliveries).map(\.userId) == [ben])
    #expect(world.router.stores.outcomes.map(\.reason) == ["messageTooLarge"])
    #expect(world.router.stores.outcomes.map(\.userID) == [world.ann])
  }

  @Test func `at most three an hour: the rest an hour later, three at a time, by key`() async throws {
    let world = HeldWorld()
    try await world.send(HeldWorld.throttledHold, 8)
    try await world.send(HeldWorld.throttledHold, 1, from: 9, talk: "b")
    try await world.route()
    for queue in [WorkQueue.push, .email] {
      #expect(try Set(world.notified(queue)) == ["Goal 1: Body", "Goal 2: Body", "Goal 3: Body", "Goal 9: Body"])
    }
    try await world.wait(hour - 1)
    #expect(try world.notified().count == 4)
    try await world.wait(1)
    for queue in [WorkQueue.push, .email] {
      #expect(try Set(world.notified(queue).dropFirst(4)) == ["Goal 4: Body", "Goal 5: Body", "Goal 6: Body"])
    }
    try await world.wait(hour)
    #expect(try world.notified().suffix(2) == ["Goal 7: Body", "Goal 8: Body"])
    #expect(try world.notified(.email).count == 9)
    #expect(world.router.stores.held.isEmpty)
  }

  @Test func `at most three an hour: the rest is in the inbox alone`() async throws {
    let world = HeldWorld()
    try await world.send(HeldWorld.throttledDrop, 3)
    try await world.route()
    try await world.send(HeldWorld.throttledDrop, 2, from: 4)
    try await world.route()
    #expect(try world.notified().count == 3)
    #expect(world.decisions() == Array(repeating: .deliver, count: 3) + Array(repeating: .skip(.throttled), count: 2))
    #expect(world.router.stores.counted[world.ann] == 5)
    world.clock.advance(by: hour)
    try await world.send(HeldWorld.throttledDrop, 1, from: 6)
    try await world.route()
    #expect(try world.notified().count == 4)
  }

  @Test func `a repetition counts for nothing, and keeps its due time`() async throws {
    let world = HeldWorld()
    let body = #"{"to":{"users":["\#(world.ann)"]},"type":302,"data":{"n":"1","talk":"a"}}"#
    let id = RequestID(now: world.clock.now).description
    try await world.send(HeldWorld.throttledHold, 3, from: 2)
    try await world.route()
    for _ in 0..<3 {
      try await world.router.publish(body, id: id, type: IngestKind.request.messageType)
      try await world.route()
      #expect(world.router.stores.waiting.count == 2)
      #expect(world.decisions().first == .hold(until: world.router.stores.waiting[0].due, .throttled))
      world.clock.advance(by: hour / 4)
    }
    try await world.wait(hour)
    #expect(try world.notified().count == 4)
    // Delivered once: what comes again waits for nothing.
    try await world.router.publish(body, id: id, type: IngestKind.request.messageType)
    try await world.route()
    #expect(world.router.stores.held.isEmpty)
    #expect(try world.notifiedOnce().count == 4)
  }

  // MARK: What was withdrawn

  @Test func `what was withdrawn while it waited is not pushed`() async throws {
    let world = HeldWorld()
    paused(world, for: hour)
    try await world.send(HeldWorld.plain, 2)
    try await world.route()
    let kept = world.router.stores.rows(of: world.ann).sorted { $0.id < $1.id }
    world.router.stores.withdraw(kept[0].requestID)
    try await world.wait(hour)
    #expect(try world.notified() == ["Plain 2: Body"])
    #expect(world.decisions() == [.skip(.cancelled), .deliver])
    #expect(world.router.stores.held.isEmpty)
  }

  @Test func `what somebody else withdrew while it waited is pushed`() async throws {
    let world = HeldWorld()
    paused(world, for: hour)
    let expiry = (world.clock.now + 86_400).formatted(.iso8601)
    let body =
      #"{"to":{"users":["\#(world.ann)"]},"type":\#(HeldWorld.plain),"data":{"n":"1","talk":"a"},"expiresAt":"\#(expiry)"}"#
    for owner in ["shop", "bank"] {
      try await world.router.publish(
        body,
        id: RequestID(now: world.clock.now).description,
        type: IngestKind.request.messageType,
        headers: ["x-belfry-owner": .string(owner)]
      )
    }
    try await world.route()
    let kept = world.router.stores.rows(of: world.ann)
    #expect(kept.count == 2)
    for row in kept { world.router.stores.withdraw(row.requestID, by: "bank") }
    try await world.wait(hour)
    #expect(try world.notified().count == 1)
    let states = world.router.stores.rows(of: world.ann).map { ($0.owner, $0.plan[.push]) }
    #expect(states.contains { $0 == (.named("shop"), .deliver) })
    #expect(states.contains { $0 == (.named("bank"), .skip(.cancelled)) })
  }

  // MARK: What this router cannot deliver

  @Test func `a type that the router does not know is left for one that does, and the log says so once`() async throws {
    var world = HeldWorld()
    paused(world, for: hour)
    try await world.send(HeldWorld.plain)
    try await world.route()
    let known = world.router.catalogue
    world.router.catalogue = TestRouter.catalogue
    try await world.wait(hour)
    #expect(world.router.stores.held.count == 1)
    let ignorant = try world.router.heldWorker(living: Lifetime())
    var unknown = HeldWorker.UnknownTypes()
    for _ in 0..<5 {
      try await ignorant.putOffUnknown(&unknown)
      world.clock.advance(by: 1_000)
    }
    #expect(world.router.log.all.count { $0.text.contains("not in this router's catalogue") } == 1)
    world.router.catalogue = known
    try await world.wait(0)
    #expect(try world.notified() == ["Plain 1: Body"])
    #expect(world.router.stores.held.isEmpty)
  }

  @Test func `the worker looks by itself, and goes on after a failure until it is stopped`() async throws {
    let world = HeldWorld()
    paused(world, for: hour)
    try await world.send(HeldWorld.plain)
    try await world.route()
    let failures = Mutex(1)
    world.router.stores.fail { call in
      guard case .held = call,
        failures.withLock({
          $0 -= 1; return $0 >= 0
        })
      else { return nil }
      return PostgresError(.connectionLost)
    }
    let worker = try world.router.heldWorker(living: Lifetime())
    try await withThrowingTaskGroup { group in
      group.addTask { try await worker.run() }
      world.clock.advance(by: hour)
      try await eventually("it is delivered, and held no more") {
        try !world.notified().isEmpty && world.router.stores.held.isEmpty
      }
      group.cancelAll()
      try await group.waitForAll()
    }
    #expect(try world.notified() == ["Plain 1: Body"])
    #expect(world.router.log.all.contains { $0.text.contains("what is due cannot be sent, trying again") })
  }

  @Test func `what the broker never takes keeps nobody else waiting`() async throws {
    let world = HeldWorld()
    let others = (0..<5).map { _ in UserID(UUID()) }
    let until = world.clock.now + hour
    for user in others + [world.ann] { world.router.stores.change(user) { $0.pausedUntil = until } }
    try await world.send(HeldWorld.plain)
    for user in others {
      try await world.router.publish(
        #"{"to":{"users":["\#(user)"]},"type":304,"data":{"n":"x"}}"#,
        id: RequestID(now: world.clock.now).description,
        type: IngestKind.request.messageType
      )
    }
    try await world.route()
    world.router.broker.failPublishes { message, exchange, _ in
      exchange == Topology.dispatchExchange && String(decoding: message.body, as: UTF8.self).contains("Plain 1")
        ? .init(.messageTooLarge, "no") : nil
    }
    try await world.wait(hour)
    #expect(Set(try world.router.dispatches(.push).flatMap(\.deliveries).map(\.userId)) == Set(others))
    #expect(world.router.stores.held.keys.map(\.user) == [world.ann])
    #expect(world.router.log.all.contains { $0.text.contains("what is due for a user cannot be sent") })
    world.router.broker.failPublishes(nil)
    try await world.wait(61)
    #expect(try world.notified() == ["Plain 1: Body"])
    #expect(world.router.stores.held.isEmpty)
  }
}
