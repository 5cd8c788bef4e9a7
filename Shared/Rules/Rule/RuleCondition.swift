/// When a rule sends.
enum RuleCondition: Sendable, Equatable {
  /// Each event.
  case always
  /// Each event whose value is so large.
  case atLeast(PayloadPath, RuleBound)
  case crosses(RuleCrossing)
  /// Once per value, of a jump the highest; values ascend.
  case reaches(PayloadPath, [ExactNumber])
  /// The same, of the number of local days on end.
  case streak([ExactNumber])
  /// Once per key, or per key and period.
  case once(RulePeriodSource?)
  /// At the end of the period, by the latest value.
  case exceeds(PayloadPath, RuleBound, RulePeriodSource)
  case remind(RuleReminder)
}

/// A value that comes to lie on the other side of a bound.
struct RuleCrossing: Sendable, Equatable {
  let value: PayloadPath
  let previous: PayloadPath?
  let bound: RuleBound
  let direction: Direction

  enum Direction: String, Sendable {
    case fallsBelow, risesAbove
  }

  /// On the bound is not yet across it, in either direction.
  func isCrossed(from previous: ExactNumber, to value: ExactNumber, bound: ExactNumber) -> Bool {
    switch direction {
    case .fallsBelow: previous >= bound && value < bound
    case .risesAbove: previous <= bound && value > bound
    }
  }
}

/// What a value is compared with.
enum RuleBound: Sendable, Equatable, CustomStringConvertible {
  case number(ExactNumber)
  case member(PayloadPath)
  /// One of the person's settings.
  case setting(String, title: String?)

  /// Nil if the payload or the settings have none.
  func number(_ variables: RuleVariables, _ settings: RuleSettings) throws(RuleRefusal) -> ExactNumber? {
    switch self {
    case .number(let number): number
    case .member(let path): try variables.number(path)
    case .setting(let name, _): settings.numbers[name]
    }
  }

  var description: String {
    switch self {
    case .number(let number): number.description
    case .member(let path): path.description
    case .setting(_, let title?): "the setting '\(title)'"
    case .setting(let name, nil): "the setting \(name)"
    }
  }
}

/// Where a period's name comes from.
enum RulePeriodSource: Sendable, Equatable {
  case fixed(RulePeriod)
  case template(RuleTemplate)

  func period(_ variables: RuleVariables) throws(RuleRefusal) -> RulePeriod {
    switch self {
    case .fixed(let period): return period
    case .template(let template):
      let text = try variables.text(template) ?? ""
      guard let period = RulePeriod(rawValue: text.lowercased()) else {
        let name = template.bare.map { "payload.\($0.path)" } ?? "payload"
        throw RuleRefusal(name, "expected day, week or month")
      }
      return period
    }
  }
}
