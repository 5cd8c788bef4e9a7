import CatalogueVersions
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

/// Random events, reported again, late and out of order, to routers that die anywhere: what is sent, under which id and time,
/// is what a plain model of each kind of rule expects.
@Suite struct RulePropertyTests {
  private static let seed: UInt64 = 20_261_123
  private static let sequences = 60
  private static let user = UUID(uuidString: "00000000-0000-7000-8000-00000000000A")!
  private static let zone = RuleWorld.zone

  private static let catalogue = Result {
    try Catalogue(
      overrides: """
        version: 1
        events:
          - { name: E, relay: false }
        rules:
          - { name: crossing, on: E, user: "{{userId}}", when: { value: v, previous: p, fallsBelow: 50 }, notify: MissYou }
          - { name: reaches, on: E, user: "{{userId}}", key: "{{k}}", when: { value: v, reaches: [25, 50, 75, 100] },
              notify: MissYou }
          - { name: streak, on: E, user: "{{userId}}", when: { streak: day, reaches: [3, 5, 7] }, notify: MissYou }
          - { name: weekly, on: E, user: "{{userId}}", when: { once: week }, notify: MissYou }
          - { name: budget, on: E, user: "{{userId}}", key: "{{k}}",
              when: { value: v, exceeds: 50, evaluate: endOfPeriod, period: day }, notify: MissYou }
          - { name: deadline, on: E, user: "{{userId}}", key: "{{k}}", unless: off,
              remind: { due: date, time: "09:00", offsets: [-P7D, -P3D, -P1D, P0D, P1D] }, notify: MissYou }
          - { name: expiry, on: E, user: "{{userId}}", unless: off, remind: { at: instant }, notify: MissYou }
          - { name: early, on: E, user: "{{userId}}", unless: off, remind: { at: instant, before: P3D }, notify: MissYou }
        """
    )
  }

  private static let models: [(rule: String, model: @Sendable () -> any RuleModel)] = [
    ("crossing", { CrossingModel() }), ("reaches", { ReachingModel() }), ("streak", { StreakModel() }),
    ("weekly", { WeeklyModel() }), ("budget", { BudgetModel() }), ("deadline", { DeadlineModel() }),
    ("expiry", { ExpiryModel(lead: nil) }), ("early", { ExpiryModel(lead: 259_200) }),
  ]

  @Test func `random sequences notify of what the models expect`() async throws {
    print("seed \(Self.seed), \(Self.sequences) sequences")
    var (total, deaths) = (0, 0)
    try await TestDatabase.with { client in
      for sequence in 0..<Self.sequences {
        var random = SplitMix64(seed: Self.seed &+ UInt64(sequence))
        // Summer time ends on 25 October.
        let bench = Bench(client, at: Date(timeIntervalSince1970: 1_792_044_000))
        _ = try await client.query("TRUNCATE rule_states, rule_notices")
        var models = Self.models.map { ($0.rule, $0.model()) }
        var past: [Happening] = []
        for step in 0..<Int.random(in: 5...20, using: &random) {
          bench.clock.now += (Double.random(in: 0...18, using: &random) * 3_600).rounded()
          if Bool.random(using: &random) {
            try await bench.passTime(&random)
            for index in models.indices { models[index].1.passTime(to: bench.clock.now) }
          }
          let happening = Happening.random(step, bench.clock.now, pace: 18, after: past, &random)
          past.append(happening)
          try await bench.take(happening, &random)
          for index in models.indices { models[index].1.take(happening) }
        }
        try await bench.passTime(&random)
        for index in models.indices { models[index].1.passTime(to: bench.clock.now) }
        bench.clock.now += 31
        // Nothing new is due half a minute later, but for what the dead left behind.
        try await bench.timers(Lifetime()).work()
        let expected = models.flatMap { rule, model in
          model.notified.map { Self.id(rule, $0.key, at: $0.value) }
        }
        let notified = try bench.notified()
        #expect(notified == Set(expected), "sequence \(sequence) of seed \(Self.seed)")
        guard notified == Set(expected) else { return }
        #expect(try await client.query("SELECT FROM rule_notices").isEmpty)
        total += notified.count
        deaths += bench.deaths
      }
    }
    print("\(total) notified, \(deaths) deaths")
    #expect(total > 4 * Self.sequences)
    #expect(deaths > 2 * Self.sequences)
  }

  /// - Parameter name: Key and what was reached, as models name it.
  private static func id(_ rule: String, _ name: String, at: Date) -> RequestID {
    let slash = name.firstIndex(of: "/") ?? name.startIndex
    let effect = EffectID(
      rule: rule,
      user: user,
      key: String(name[..<slash]),
      what: String(name[slash...].dropFirst()),
      notice: "MissYou"
    )
    return RequestID(time: at, hashing: effect.bytes)
  }

  /// A router whose processes die now and then.
  private final class Bench {
    let client: PostgresClient
    let clock: RuleWorld.Clock
    let broker = TestRouter().broker
    private(set) var deaths = 0

    init(_ client: PostgresClient, at start: Date) {
      self.client = client
      clock = RuleWorld.Clock(start)
    }

    func take(_ happening: Happening, _ random: inout SplitMix64) async throws {
      let json = #"{"userId":"\#(RulePropertyTests.user)",\#(happening.payload)}"#
      let event = try RuleEvent(
        id: happening.id,
        name: "E",
        payload: try JSONParser.parse(Array(json.utf8)),
        intake: happening.intake,
        occurredAt: happening.occurredAt
      )
      // Now and then it comes twice in the same batch.
      let events = Int.random(in: 0..<4, using: &random) == 0 ? [event, event] : [event]
      let now = clock.now
      try await live(&random) { life in
        let stored = try await evaluator(life).evaluate(events, now: now)
        try await stored.finish(unrouted: stored.notices)
        #expect(stored.refusals.allSatisfy { $0 == nil })
      }
    }

    func passTime(_ random: inout SplitMix64) async throws {
      try await live(&random) { life in try await timers(life).work() }
    }

    /// Does it once, or in a process that dies and then in one that lives.
    private func live(_ random: inout SplitMix64, _ body: (Lifetime) async throws -> Void) async throws {
      if Int.random(in: 0..<3, using: &random) == 0 {
        let step = Int.random(in: 1...5, using: &random)
        let life = Lifetime(until: .init(step: step, isAfter: Bool.random(using: &random)))
        do {
          try await body(life)
        } catch  where !life.isAlive {
          deaths += 1
        }
      }
      try await body(Lifetime())
    }

    private func evaluator(_ life: Lifetime) throws -> EventEvaluator {
      let catalogue = try RulePropertyTests.catalogue.get()
      return EventEvaluator(
        rules: catalogue.rules,
        settings: catalogue.settings,
        store: stores(life),
        notices: notices(life),
        zone: RulePropertyTests.zone
      )
    }

    func timers(_ life: Lifetime) throws -> RuleTimerWorker {
      let clock = clock
      return RuleTimerWorker(
        catalogues: CatalogueInForce(try RulePropertyTests.catalogue.get()),
        store: stores(life),
        notices: notices(life),
        zone: RulePropertyTests.zone,
        logger: .quiet,
        limit: 3,
        clock: UncheckedClock { clock.now }
      )
    }

    private func stores(_ life: Lifetime) -> LivingStores { LivingStores(client: client, life: life) }

    private func notices(_ life: Lifetime) -> NoticePublisher {
      NoticePublisher(store: stores(life), publisher: RouterPublisher(publisher: broker.publisher(living: life)))
    }

    func notified() throws -> Set<RequestID> {
      let notices: [NoticeRequest] = try broker.messages(in: Topology.ingestQueue).map {
        try QueueCoder.decode(from: $0)
      }
      return Set(notices.map(\.requestId))
    }
  }
}
