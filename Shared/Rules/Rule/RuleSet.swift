/// All rules of a catalogue, found by what triggers them.
public struct RuleSet: Sendable {
  /// In the catalogue's order.
  public let rules: [Rule]
  private let byEvent: [String: [Rule]]
  private let byName: [String: Rule]

  public static let maximumCount = 1_000

  /// No rules.
  public init() {
    rules = []
    byEvent = [:]
    byName = [:]
  }

  /// - Throws: ``RuleError`` where two rules have the same name.
  public init(_ rules: [Rule]) throws(RuleError) {
    guard rules.count <= Self.maximumCount else {
      throw RuleError(rule: "", field: "", problem: "expected at most \(Self.maximumCount) rules")
    }
    var names: [String: Rule] = [:]
    for rule in rules where names.updateValue(rule, forKey: rule.name) != nil {
      throw RuleError(rule: rule.name, field: "name", problem: "another rule has it too")
    }
    self.rules = rules
    byName = names
    byEvent = Dictionary(grouping: rules) { $0.event.lowercased() }
  }

  /// The rules that look at an event, absence rules included, in the catalogue's order.
  public func rules(on event: String) -> [Rule] { byEvent[event.lowercased()] ?? [] }

  /// The rule that a stored state is of; nil if the catalogue has it no more.
  public func rule(named name: String) -> Rule? { byName[name] }

  /// The rules that are looked at by a daily scan.
  public var absences: [(rule: Rule, absence: RuleAbsence)] {
    rules.compactMap { rule in if case .absence(let absence) = rule.trigger { (rule, absence) } else { nil } }
  }

  /// What is wrong with an event in itself, whoever it is about: for an answer to its sender.
  public func refusals(of event: RuleEvent, settings: RuleSettings) -> [RuleRefusal] {
    var seen: Set<RuleRefusal> = []
    return rules(on: event.name).compactMap { rule in
      let evaluation = rule.evaluate(event, settings: settings) { _ in nil }
      guard case .refused(let refusal) = evaluation.outcome, seen.insert(refusal).inserted else { return nil }
      return refusal
    }
  }
}
