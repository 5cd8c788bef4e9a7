import Foundation
import Rules
import TestSupport
import Testing
import WallClock

/// Random events, reported again, late and out of order, with crashes before the commit: what is sent, and as of when, is what
/// a plain model of each kind of rule expects.
@Suite struct PropertyTests {
  static let seed: UInt64 = 20_261_122
  static let sequences = 300

  struct Kind: Sendable, CustomTestStringConvertible {
    let name: String
    let flow: String
    let model: @Sendable () -> any RuleModel
    /// Of the time between events, in hours.
    let pace: Double
    var testDescription: String { name }
  }

  static let kinds = [
    Kind(
      name: "crossing",
      flow: """
        on: E, user: "{{userId}}", when: { value: v, previous: p, fallsBelow: 50 }
        """,
      model: { CrossingModel() },
      pace: 1
    ),
    Kind(
      name: "reaches",
      flow: """
        on: E, user: "{{userId}}", key: "{{k}}", when: { value: v, reaches: [25, 50, 75, 100] }
        """,
      model: { ReachingModel() },
      pace: 1
    ),
    Kind(
      name: "streak",
      flow: """
        on: E, user: "{{userId}}", when: { streak: day, reaches: [3, 5, 7] }
        """,
      model: { StreakModel() },
      pace: 20
    ),
    Kind(
      name: "once a week",
      flow: """
        on: E, user: "{{userId}}", when: { once: week }
        """,
      model: { WeeklyModel() },
      pace: 30
    ),
    Kind(
      name: "budget",
      flow: """
        on: E, user: "{{userId}}", key: "{{k}}", when: { value: v, exceeds: 50, evaluate: endOfPeriod, period: day }
        """,
      model: { BudgetModel() },
      pace: 12
    ),
    Kind(
      name: "deadline",
      flow: """
        on: E, user: "{{userId}}", key: "{{k}}", unless: off,
        remind: { due: date, time: "09:00", offsets: [-P7D, -P3D, -P1D, P0D, P1D] }
        """,
      model: { DeadlineModel() },
      pace: 18
    ),
    Kind(
      name: "expiry",
      flow: """
        on: E, user: "{{userId}}", unless: off, remind: { at: instant }
        """,
      model: { ExpiryModel(lead: nil) },
      pace: 12
    ),
    Kind(
      name: "before expiry",
      flow: """
        on: E, user: "{{userId}}", unless: off, remind: { at: instant, before: P3D }
        """,
      model: { ExpiryModel(lead: 259_200) },
      pace: 12
    ),
    Kind(
      name: "absence",
      flow: """
        absent: E, for: P3D, time: "10:00"
        """,
      model: { AbsenceModel() },
      pace: 30
    ),
  ]

  @Test(arguments: kinds)
  func `random sequences notify of what the model expects`(_ kind: Kind) throws {
    print("seed \(Self.seed), \(kind.name), \(Self.sequences) sequences")
    let empty = try Bench("name: a, notify: First, \(kind.flow)")
    var total = 0
    for sequence in 0..<Self.sequences {
      var random = SplitMix64(seed: Self.seed &+ UInt64(sequence))
      var (bench, model) = (empty, kind.model())
      // Summer time ends on 25 October.
      var now = Date(timeIntervalSince1970: 1_792_044_000)
      var past: [Happening] = []
      for step in 0..<Int.random(in: 5...25, using: &random) {
        now += (Double.random(in: 0...kind.pace, using: &random) * 3_600).rounded()
        // Timers are looked at now and then, events in between.
        if Bool.random(using: &random) {
          try pass(now, &bench, &random)
          model.passTime(to: now)
        }
        let happening = Happening.random(step, now, pace: kind.pace, after: past, &random)
        past.append(happening)
        let event = try Self.event(happening)
        // Dies after publishing, before the commit: the message comes again at once.
        if Int.random(in: 0..<4, using: &random) == 0 { try bench.take(event, committing: false) }
        try bench.take(event)
        model.take(happening)
        if Bool.random(using: &random) {
          try pass(now, &bench, &random)
          model.passTime(to: now)
        }
      }
      #expect(bench.repeats == 0)
      let same = Self.asNotified(bench)
      #expect(same == model.notified, "\(kind.name), sequence \(sequence) of seed \(Self.seed)")
      if same != model.notified { return }
      total += same?.count ?? 0
    }
    print("\(kind.name): \(total) notified")
    #expect(total > Self.sequences / 8)
  }

  private func pass(_ now: Date, _ bench: inout Bench, _ random: inout SplitMix64) throws {
    let crashes = Int.random(in: 0..<4, using: &random) == 0
    guard case .absence = bench.rule.trigger else {
      if crashes { try bench.passTime(to: now, committing: false) }
      return try bench.passTime(to: now)
    }
    let today = bench.settings.zone.localDate(at: now)
    for key in bench.states.keys {
      if crashes { try bench.take(.absent(today: today), key: key, committing: false) }
      try bench.take(.absent(today: today), key: key)
    }
  }

  /// What was notified by key and what; nil if the same thing has two times.
  private static func asNotified(_ bench: Bench) -> [String: Date]? {
    var notified: [String: Date] = [:]
    for notice in bench.notified {
      let name = "\(notice.id.key)/\(notice.id.what)"
      if let other = notified.updateValue(notice.at, forKey: name), other != notice.at { return nil }
    }
    return notified
  }

  private static func event(_ happening: Happening) throws -> RuleEvent {
    try Fixture.event(
      "E",
      happening.payload,
      id: happening.id,
      at: happening.intake,
      occurredAt: happening.occurredAt
    )
  }
}
