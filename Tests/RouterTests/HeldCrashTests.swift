import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore
import TestSupport
import Testing

@testable import Router

/// A router that dies anywhere between holding and delivering loses nothing, and sends nothing in other words.
@Suite struct HeldCrashTests {
  private let hour: TimeInterval = 3_600

  /// Held, of every kind: five that a pause holds, a mail, a digest, and more than a throttle takes.
  private func world() async throws -> HeldWorld {
    let world = HeldWorld()
    try await world.send(HeldWorld.digest, 2)
    try await world.send(HeldWorld.mailIfUnread, 1, from: 11)
    try await world.send(HeldWorld.throttledHold, 4, from: 21)
    return world
  }

  private func check(_ world: HeldWorld, _ deaths: String) throws {
    #expect(world.router.stores.held.isEmpty, "\(deaths)")
    #expect(world.router.stores.counted[world.ann] == 7, "\(deaths)")
    #expect(
      try world.notifiedOnce().sorted() == [
        "2 messages: the last is 2", "Goal 21: Body", "Goal 22: Body", "Goal 23: Body", "Goal 24: Body",
      ],
      "\(deaths)"
    )
    #expect(
      try world.notifiedOnce(.email).sorted() == [
        "Goal 21: Body", "Goal 22: Body", "Goal 23: Body", "Goal 24: Body", "Mail 11: Body",
      ],
      "\(deaths)"
    )
    for queue in [WorkQueue.push, .email] {
      // Only the first may be sent without a look at what was delivered before.
      let all = Dictionary(grouping: try world.deliveries(queue), by: \.id)
      #expect(all.values.allSatisfy { $0.dropFirst().allSatisfy(\.recheck) }, "\(deaths)")
    }
  }

  @Test func `one death of the router that holds, before or after any step`() async throws {
    let whole = try await world()
    let steps = try await whole.router.run().steps
    for step in 1...steps {
      for isAfter in [false, true] {
        let death = Lifetime.Death(step: step, isAfter: isAfter)
        let world = try await world()
        let life = try await world.router.run(until: death)
        #expect(!life.isAlive)
        try await world.route()
        #expect(try world.notifiedOnce().filter { $0.hasPrefix("Goal") }.count == 3, "\(death)")
        try await world.wait(hour)
        try await world.wait(hour)
        try check(world, "\(death)")
      }
    }
  }

  @Test func `one death of the router that delivers, before or after any step`() async throws {
    func due() async throws -> HeldWorld {
      let world = try await world()
      try await world.route()
      world.clock.advance(by: hour)
      return world
    }
    let whole = try await due()
    let steps = try await whole.router.runHeld().steps
    try check(whole, "nobody dies")
    #expect(steps > 8)
    for step in 1...steps {
      for isAfter in [false, true] {
        let death = Lifetime.Death(step: step, isAfter: isAfter)
        let world = try await due()
        let life = try await world.router.runHeld(until: death)
        #expect(!life.isAlive)
        try await world.wait(61)
        try await world.wait(hour)
        try check(world, "\(death)")
      }
    }
  }

  @Test func `a mail of several lists the same again after a death of the router`() async throws {
    func due() async throws -> HeldWorld {
      let world = HeldWorld()
      try await world.send(HeldWorld.mailDigest, 3)
      try await world.route()
      world.clock.advance(by: hour)
      return world
    }
    let steps = try await due().router.runHeld().steps
    var repetitions = 0
    for step in 1...steps {
      for isAfter in [false, true] {
        let world = try await due()
        try await world.router.runHeld(until: .init(step: step, isAfter: isAfter))
        try await world.wait(61)
        let mails = try world.deliveries(.email)
        repetitions += mails.count - 1
        #expect(Set(mails.map(\.id)).count == 1)
        for mail in mails {
          #expect(
            mail.content.listing?.items.map(\.title) == ["Letter 1", "Letter 2", "Letter 3"],
            "\(step) \(isAfter)"
          )
        }
      }
    }
    #expect(repetitions > 0)
  }

  @Test func `a composition that waits to be published again keeps its count, whatever comes due meanwhile`()
    async throws
  {
    func due() async throws -> HeldWorld {
      let world = HeldWorld()
      let until = world.clock.now + hour
      world.router.stores.change(world.ann) { $0.pausedUntil = until }
      try await world.send(HeldWorld.plain, 6)
      try await world.route()
      world.clock.advance(by: hour)
      return world
    }
    let steps = try await due().router.runHeld().steps
    var isSeen = false
    for step in 1...steps {
      for isAfter in [false, true] {
        let world = try await due()
        try await world.router.runHeld(until: .init(step: step, isAfter: isAfter))
        let isSettled = world.router.stores.waiting.contains { $0.composedIn != nil }
        isSeen = isSeen || isSettled
        // One more that waits for the next minute.
        let until = world.clock.now + 30
        world.router.stores.change(world.ann) { $0.pausedUntil = until }
        try await world.send(HeldWorld.plain, 1, from: 7)
        try await world.route()
        try await world.wait(61)
        try await world.wait(61)
        let texts = try world.notifiedOnce().sorted()
        let six = "6 notifications: Plain 1, Plain 2, Plain 3 and 3 more"
        let seven = "7 notifications: Plain 1, Plain 2, Plain 3 and 4 more"
        let isDone = isSettled || texts.contains(six)
        #expect(texts == (isDone ? [six, "Plain 7: Body"] : [seven]), "\(step) \(isAfter)")
        #expect(world.router.stores.held.isEmpty)
      }
    }
    #expect(isSeen)
  }

  @Test func `a claimant who sleeps past the end of its claim changes nothing and sends nothing`() async throws {
    let world = HeldWorld()
    let until = world.clock.now + hour
    world.router.stores.change(world.ann) { $0.pausedUntil = until }
    try await world.send(HeldWorld.plain, 6)
    try await world.route()
    world.clock.advance(by: hour)
    let life = Lifetime()
    let sleeper = try world.router.heldWorker(living: life)
    let claim = try await sleeper.store.claim(
      types: sleeper.types.known().codes,
      limit: 500,
      now: world.clock.now,
      until: world.clock.now + 60
    )
    #expect(claim.entries.count == 6)
    try await world.wait(59)
    #expect(try world.notified().isEmpty)
    try await world.wait(1)
    #expect(try world.notified().count == 1)
    try await sleeper.processor.process(claim)
    #expect(try world.notified().count == 1)
    #expect(world.decisions() == Array(repeating: .skip(.composed), count: 6))
  }
}
