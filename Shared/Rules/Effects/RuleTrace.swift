/// Why one rule did or did not fire, for `explain`.
public struct RuleTrace: Sendable, Equatable, CustomStringConvertible {
  public let rule: String
  /// Nil where the rule has no states.
  public let key: RuleStateKey?
  public let outcome: RuleOutcome

  public init(rule: String, key: RuleStateKey?, outcome: RuleOutcome) {
    self.rule = rule
    self.key = key
    self.outcome = outcome
  }

  /// `low-balance did not fire: from 15 to 12 does not cross 10`.
  public var description: String {
    switch outcome {
    case .notified, .scheduled, .cancelled, .noted: "\(rule): \(outcome)"
    default: "\(rule) did not fire: \(outcome)"
    }
  }
}
