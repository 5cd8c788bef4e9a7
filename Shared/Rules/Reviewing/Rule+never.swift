extension Rule {
  /// Why the rule can send nothing, whatever happens, as far as it can be told from the rule alone: the field, and words that follow
  /// it. Nil if it may send something.
  public var neverSends: (field: String, words: String)? {
    guard let value = condition.value else { return nil }
    if let words = condition.contradiction { return ("when", "can never hold: \(words)") }
    guard unless.contains(value), condition.needsSomething else { return nil }
    return ("unless", "leaves nothing: wherever 'when' holds, \(value) is there and not 0")
  }
}

extension RuleCondition {
  /// What is compared.
  fileprivate var value: PayloadPath? {
    switch self {
    case .atLeast(let value, _), .reaches(let value, _), .exceeds(let value, _, _): value
    case .crosses(let crossing): crossing.value
    case .always, .streak, .once, .remind: nil
    }
  }

  /// Why it never holds, in words.
  fileprivate var contradiction: String? {
    switch self {
    case .exceeds(let value, .member(let bound), _) where value == bound: "\(value) is never above itself"
    case .crosses(let crossing):
      if case .member(crossing.value) = crossing.bound {
        "\(crossing.value) is never on the other side of itself"
      } else if crossing.previous == crossing.value {
        "\(crossing.value) is its own previous value"
      } else {
        nil
      }
    case .always, .atLeast, .reaches, .streak, .once, .exceeds, .remind: nil
    }
  }

  /// Whether it never holds for a value that is 0, missing or empty.
  fileprivate var needsSomething: Bool {
    guard let zero = ExactNumber(0) else { return false }
    switch self {
    case .atLeast(_, .number(let bound)): return bound > zero
    case .reaches(_, let values): return values.allSatisfy { $0 > zero }
    case .exceeds(_, .number(let bound), _): return bound >= zero
    case .crosses(let crossing):
      guard case .number(let bound) = crossing.bound else { return false }
      return crossing.direction == .risesAbove ? bound >= zero : bound <= zero
    case .always, .atLeast, .streak, .once, .exceeds, .remind: return false
    }
  }
}
