import Foundation
import BelfryJSON
import Rules
import WallClock
import Yams

/// Rules from YAML, and events around noon of 22 November 2026, a Sunday.
enum Fixture {
  static let mia = UUID(uuidString: "00000000-0000-7000-8000-00000000000A")!
  static let ben = UUID(uuidString: "00000000-0000-7000-8000-00000000000B")!
  static let noon = Date(timeIntervalSince1970: 1_795_348_800)
  static let berlin = RuleSettings(zone: Zone("Europe/Berlin")!, numbers: ["lowBalanceThreshold": number("10")])
  static let types: Set = [
    "LowBalanceWarning", "SavingsGoalCompleted", "SavingsGoalMilestone", "SavingsGoalDeadline", "SavingsGoalMissed",
    "OverBudget", "LoggingStreak", "MissYou", "ContactRoleChanged", "YourContactRoleChanged", "NewMessage", "First",
    "LargeTransaction", "CheckInReminder", "CheckInExpired", "ContactCheckInExpired", "SpendingReduced",
  ]
  static let catalogue = RuleCatalogue(
    types: types,
    settings: ["lowBalanceThreshold": "Low balance threshold", "untitled": nil],
    filters: ["money", "name"]
  )

  static func number(_ text: String) -> ExactNumber { ExactNumber(text)! }

  static func rules(_ yaml: String) throws -> [Rule] {
    try YAMLDecoder().decode([YAMLTree].self, from: yaml).map { try Rule(RuleForm($0.json), in: catalogue) }
  }

  /// The rule of one mapping in YAML's flow form.
  static func rule(_ flow: String) throws -> Rule { try rules("- { \(flow) }")[0] }

  /// A payload in JSON, about Mia unless it says otherwise.
  static func event(
    _ name: String,
    _ payload: String,
    id: String = "e1",
    at intake: Date = noon,
    occurredAt: Date? = nil
  ) throws -> RuleEvent {
    let object = try JSONParser.parse(Array("{\"userId\":\"\(mia.uuidString)\",\(payload)}".utf8))
    return try RuleEvent(id: id, name: name, payload: object, intake: intake, occurredAt: occurredAt ?? intake)
  }

  static func instant(_ date: String, _ time: String, _ zone: String = "Europe/Berlin") -> Date {
    Zone(zone)!.instant(of: LocalDate(date)!, at: LocalTime(time)!)
  }
}

/// One rule with its states, as a router with its store would keep them: every state goes through its JSON.
struct Bench {
  let rule: Rule
  var settings = Fixture.berlin
  private(set) var states: [RuleStateKey: RuleState] = [:]
  private(set) var notified: [RuleNotice] = []
  /// Notices made again although the state that knew of them was stored.
  private(set) var repeats = 0
  private var committed: Set<EffectID> = []

  init(_ flow: String) throws { rule = try Fixture.rule(flow) }

  /// - Parameter committing: False for a router that dies after publishing.
  @discardableResult
  mutating func take(_ event: RuleEvent, committing: Bool = true) throws -> RuleOutcome {
    let key = try rule.stateKey(of: event, zone: settings.zone)
    return try take(.event(event), key: key, committing: committing)
  }

  @discardableResult
  mutating func take(_ input: RuleInput, key: RuleStateKey?, committing: Bool = true) throws -> RuleOutcome {
    let evaluation = rule.evaluate(input, key: key, state: key.flatMap { states[$0] }, settings: settings)
    notified += evaluation.notices
    repeats += evaluation.notices.count { committed.contains($0.id) }
    if committing { committed.formUnion(evaluation.notices.map(\.id)) }
    if committing, let key, let state = evaluation.state {
      states[key] = evaluation.isStateChanged ? try RuleState(json: state.json) : state
      // What was stored is what was meant.
      if states[key] != state { throw CocoaError(.coderInvalidValue) }
    }
    return evaluation.outcome
  }

  /// Looks at everything that is due.
  mutating func passTime(to now: Date, committing: Bool = true) throws {
    for key in states.keys.sorted() {
      while let timer = states[key]?.timer, timer.at <= now {
        try take(.due(now: now), key: key, committing: committing)
        if !committing { break }
      }
    }
  }

  var what: [String] { notified.map(\.id.what) }
}
