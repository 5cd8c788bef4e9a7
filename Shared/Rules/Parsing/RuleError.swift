/// What is wrong with a rule of a catalogue, in words for its author: `rule 'low-balance': when.fallsBelow: …`.
public struct RuleError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Empty where the rule has no name.
  public let rule: String
  /// Path of the field within the rule; empty for the rule itself.
  public let field: String
  public let problem: String

  public init(rule: String, field: String, problem: String) {
    self.rule = rule
    self.field = field
    self.problem = problem
  }

  /// The same without the rule's name.
  public var words: String { "\(field.isEmpty ? "" : "\(field): ")\(problem)" }

  public var description: String {
    "rule '\(rule.excerpt)': \(words)"
  }
}
