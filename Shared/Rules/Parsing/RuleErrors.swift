/// Everything that is wrong with a rule, in the order in which it is read. There is at least one.
public struct RuleErrors: Error, Equatable, Sendable {
  public let errors: [RuleError]
}

/// Gathers what is wrong with the parts of a rule, so that one mistake hides no other.
final class RuleProblems {
  private(set) var errors: [RuleError] = []
  /// Nobody reads on beyond these.
  private static let maximum = 100

  func add(_ error: RuleError) {
    guard errors.count < Self.maximum, !errors.contains(error) else { return }
    errors.append(error)
  }
}
