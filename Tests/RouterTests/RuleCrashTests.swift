import Foundation
import BelfryJSON
import NotificationModel
import NotificationQueue
import NotificationStore
import Postgres
import Rules
import TestSupport
import Testing
import WallClock

@testable import Router

/// A router that dies anywhere between an event and the inbox loses nothing and sends nothing twice.
@Suite struct RuleCrashTests {
  private let mia = UserID(UUID())
  private let ben = UserID(UUID())
  private static let noon = RuleWorld.noon
  /// What a router was about to publish is another's after that.
  private static let patience: TimeInterval = 31

  /// Every path: states with notices at once, none, later; rules without states; a message-id that is looked up.
  private func report(_ world: RuleWorld) async throws {
    try await GroupStore(client: world.client).replace("conversation:c", members: [mia, ben])
    try await world.report("BalanceUpdated", #""childId":"\#(mia)","newBalance":1,"previousBalance":12"#)
    try await world.report("BalanceUpdated", #""childId":"\#(ben)","newBalance":50,"previousBalance":12"#)
    try await world.report(
      "MessageSent",
      #""conversationId":"c","messageId":"1","senderId":"\#(ben)","senderName":"Ben","text":"Hi","isGroupChat":false"#
    )
    try await world.report(
      "CheckedIn",
      #""userId":"\#(mia)","userName":"M","contactIds":["\#(ben)"],"expiresAt":"\#((Self.noon + 3_600).rfc3339)""#
    )
    try await world.router.publish(
      #"{"name":"GoalCreated","payload":{"userId":"\#(mia)","goalId":"g","goalName":"Bike"}}"#,
      id: "g-1",
      key: Topology.eventKey
    )
  }

  /// Everything that is sent, without the times that depend on when a message-id was first looked up.
  private func notified(_ world: RuleWorld) async throws -> [String] {
    try await world.notified().map { "\($0.type) \($0.user)" }.sorted()
  }

  private var wanted: [String] {
    [
      "CheckInExpired \(mia)", "ContactCheckInExpired \(ben)", "FirstGoalCreated \(mia)",
      "LowBalanceWarning \(mia)", "NewMessage \(mia)",
    ]
  }

  @Test(arguments: [1, 100]) func `one death, before or after any step`(_ maximumBatch: Int) async throws {
    try await RuleWorld.with { world in
      var world = world
      world.router.maximumBatch = maximumBatch
      /// - Parameter early: Whether it is the router at noon that dies, or that which finds the timers due.
      func play(_ death: Lifetime.Death?, early: Bool) async throws -> Int {
        world = try await world.afresh()
        world.router.maximumBatch = maximumBatch
        world.clock.now = Self.noon
        try await report(world)
        var steps = try await world.run(until: early ? death : nil).steps
        world.clock.now += Self.patience
        try await world.run()
        world.clock.now = Self.noon + 3_601
        let late = try await world.run(until: early ? nil : death).steps
        world.clock.now += Self.patience
        try await world.run()
        if !early { steps = late }
        let words = "\(early ? "at noon" : "later"), \(death.map { "\($0)" } ?? "nobody dies")"
        #expect(try await notified(world) == wanted, "\(words)")
        #expect(try await world.unpublished() == 0, "\(words)")
        #expect(world.router.isDone, "\(words)")
        #expect(world.router.deadLettered == [], "\(words)")
        return steps
      }
      for early in [true, false] {
        let steps = try await play(nil, early: early)
        #expect(steps > 8)
        for step in 1...steps {
          for isAfter in [false, true] { _ = try await play(.init(step: step, isAfter: isAfter), early: early) }
        }
      }
    }
  }

  @Test func `a scan for absent people whose router died is done again, and notifies nobody twice`() async throws {
    try await RuleWorld.with { world in
      let people = (0..<5).map { _ in UserID(UUID()) }
      let type = try #require(try TestRouter.catalogue.get().type(.name("MissYou")))
      var world = world
      func play(_ death: Lifetime.Death?) async throws -> Int {
        world = try await world.afresh()
        world.clock.now = Self.noon
        _ = try await world.client.query("TRUNCATE preferences")
        for user in people {
          try await world.choose(ChannelChoices(inApp: true, push: false, email: false), for: type, of: user)
          try await world.report("AppOpened", #""userId":"\#(user)""#)
        }
        try await world.run()
        // In UTC.
        world.clock.now = Self.noon + 3 * 86_400 - 7_199
        let steps = try await world.run(until: death).steps
        world.clock.now += 601
        try await world.run()
        let words = death.map { "\($0)" } ?? "nobody dies"
        #expect(try await notified(world) == people.map { "MissYou \($0)" }.sorted(), "\(words)")
        #expect(try await world.notified().allSatisfy { $0.at == Self.noon + 3 * 86_400 - 7_200 }, "\(words)")
        #expect(try await world.unpublished() == 0, "\(words)")
        return steps
      }
      let steps = try await play(nil)
      #expect(steps > 10)
      for step in 1...steps {
        for isAfter in [false, true] { _ = try await play(.init(step: step, isAfter: isAfter)) }
      }
    }
  }

  @Test func `routers that evaluate the same events at once send each notice once`() async throws {
    try await RuleWorld.with { world in
      let catalogue = try TestRouter.catalogue.get()
      let people = (0..<20).map { _ in UserID(UUID()) }
      let events = try (0..<200).map { number in
        let user = people[number % people.count]
        let body =
          #"{"name":"GoalUpdated","payload":{"userId":"\#(user)","goalId":"g\#(number / 100)","goalName":"Bike","#
          + #""percent":\#(number % 101)}}"#
        let report = try FieldReader.read(EventReport.self, from: Array(body.utf8))
        let type = try report.resolve(in: TestRouter.catalogue.get(), now: world.clock.now)
        let id = RequestID(now: world.clock.now)
        return try UnidentifiedEvent(report, type: type).event(id)
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for seed in 0..<4 {
          let (client, broker, now) = (world.client, world.router.broker, world.clock.now)
          group.addTask {
            var random = SplitMix64(seed: UInt64(seed))
            let store = RuleStore(client: client)
            let evaluator = EventEvaluator(
              rules: catalogue.rules,
              settings: catalogue.settings,
              store: store,
              notices: NoticePublisher(store: store, publisher: RouterPublisher(publisher: broker)),
              zone: .utc
            )
            var rest = events.shuffled(using: &random)[...]
            while !rest.isEmpty {
              let stored = try await evaluator.evaluate(Array(rest.prefix(23)), now: now)
              try await stored.finish(unrouted: stored.notices)
              #expect(stored.refusals.allSatisfy { $0 == nil })
              rest = rest.dropFirst(23)
            }
          }
        }
        try await group.waitForAll()
      }
      let published = world.router.broker.messages(in: Topology.ingestQueue)
      let notices: [NoticeRequest] = try published.map { try QueueCoder.decode(from: $0) }
      #expect(Set(notices.map(\.requestId)).count == notices.count)
      // Whatever the order, the highest of each goal is sent last, and is sent once.
      let highest = notices.filter { $0.type == "SavingsGoalCompleted" }
      let reached = events.count { $0.payload["percent"]?.integer == 100 }
      #expect(highest.count == reached)
      #expect(reached > 0)
      #expect(try await world.unpublished() == 0)
    }
  }
}
