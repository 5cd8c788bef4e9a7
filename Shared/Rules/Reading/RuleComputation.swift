/// A number that `let` makes of the payload's.
enum RuleComputation: Hashable, Sendable {
  /// The first in percent of the second, to two decimals, rounded down.
  case percentOf(Operand, Operand)
  case minus(Operand, Operand)

  enum Operand: Hashable, Sendable {
    case number(ExactNumber)
    case member(PayloadPath)
  }

  var operands: [Operand] {
    switch self {
    case .percentOf(let first, let second), .minus(let first, let second): [first, second]
    }
  }

  /// Nil if a member is missing, or the whole of a percentage is not above zero.
  ///
  /// - Parameter variables: Also those of other computations: that they do not go in circles was checked.
  func result(_ variables: RuleVariables) throws(RuleRefusal) -> ExactNumber? {
    var numbers: [ExactNumber] = []
    for operand in operands {
      switch operand {
      case .number(let number): numbers.append(number)
      case .member(let path):
        guard let number = try variables.number(path) else { return nil }
        numbers.append(number)
      }
    }
    let (first, second) = (numbers[0], numbers[1])
    switch self {
    case .percentOf:
      guard let zero = ExactNumber(0), second > zero else { return nil }
      guard let percent = first.percent(of: second) else { throw tooLarge }
      return percent
    case .minus:
      guard let difference = first.minus(second) else { throw tooLarge }
      return difference
    }
  }

  private var tooLarge: RuleRefusal {
    let names = operands.compactMap { if case .member(let path) = $0 { path.description } else { nil } }
    return RuleRefusal("payload.\(names.joined(separator: ", payload."))", "the computation's result is too large")
  }
}
