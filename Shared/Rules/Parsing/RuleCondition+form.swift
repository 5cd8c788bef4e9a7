import BelfryJSON
import TerminalText
import WallClock

extension RuleCondition {
  /// What goes with each way to compare.
  static let companions: [String: Set<String>] = [
    "fallsBelow": ["value", "previous"], "risesAbove": ["value", "previous"], "reaches": ["value", "streak"],
    "atLeast": ["value"], "exceeds": ["value", "evaluate", "period"], "once": [],
  ]
  static let maximumValues = 32

  /// From a rule's `when` or `remind`; without either, each event counts.
  init(_ rule: FormReader, _ catalogue: RuleCatalogue) throws(RuleError) {
    switch (rule.reader("when"), rule.reader("remind")) {
    case (nil, nil): self = .always
    case (.some, .some): throw rule.error("excludes 'when'", at: "remind")
    case (nil, let remind?): self = .remind(try RuleReminder(remind))
    case (let when?, nil): self = try Self.comparison(when, catalogue)
    }
  }

  private static func comparison(_ when: FormReader, _ catalogue: RuleCatalogue) throws(RuleError) -> RuleCondition {
    if when.value.string == "first" { return .once(nil) }
    let names = try when.names()
    try when.refuseUnknown(companions.values.reduce(Set(companions.keys)) { $0.union($1) })
    let operators = names.filter { companions[$0] != nil }
    guard let name = operators.first else {
      throw when.error("expected one of \(companions.keys.sorted().joined(separator: ", "))")
    }
    guard operators.count == 1 else { throw when.error("'\(name)' excludes '\(operators[1])'") }
    if let stray = names.first(where: { $0 != name && companions[name]?.contains($0) != true }) {
      throw when.error("does not go with '\(name)'", at: stray)
    }
    let operand = try when.required(name)
    switch name {
    case "reaches":
      guard let streak = when.reader("streak") else {
        let (value, values) = try when.both(
          { () throws(RuleError) in try when.required("value").payloadPath() },
          { () throws(RuleError) in try operand.numbers(atMost: maximumValues) }
        )
        return .reaches(value, values)
      }
      return .streak(try self.streak(streak, when: when, operand))
    case "once": return .once(try operand.text() == "ever" ? nil : try RulePeriodSource(operand))
    case "atLeast":
      let (value, bound) = try compared(when, operand, catalogue)
      return .atLeast(value, bound)
    case "exceeds":
      let evaluate = try when.required("evaluate")
      guard try evaluate.text() == "endOfPeriod" else { throw evaluate.error("expected endOfPeriod") }
      let period = try when.reader("period").map { reader throws(RuleError) in try RulePeriodSource(reader) }
      // Where nothing is said: the payload's `period`.
      let (value, bound) = try compared(when, operand, catalogue)
      return .exceeds(value, bound, period ?? .template(RuleTemplate(path: PayloadPath("period")!)))
    default:
      guard let direction = RuleCrossing.Direction(rawValue: name) else { throw when.error("is unknown", at: name) }
      let previous = try when.reader("previous").map { reader throws(RuleError) in try reader.payloadPath() }
      let (value, bound) = try compared(when, operand, catalogue)
      return .crosses(RuleCrossing(value: value, previous: previous, bound: bound, direction: direction))
    }
  }

  /// What is compared, and with what.
  private static func compared(
    _ when: FormReader,
    _ operand: FormReader,
    _ catalogue: RuleCatalogue
  ) throws(RuleError) -> (PayloadPath, RuleBound) {
    try when.both(
      { () throws(RuleError) in try when.required("value").payloadPath() },
      { () throws(RuleError) in try RuleBound(operand, catalogue) }
    )
  }

  private static func streak(
    _ streak: FormReader,
    when: FormReader,
    _ operand: FormReader
  ) throws(RuleError) -> [ExactNumber] {
    guard !when.has("value") else { throw when.error("excludes 'value'", at: "streak") }
    guard try streak.text() == "day" else { throw streak.error("expected day") }
    let values = try operand.numbers(atMost: maximumValues)
    guard values.allSatisfy({ $0.whole.map { (1...DayBitmap.span).contains($0) } ?? false }) else {
      throw operand.error("expected whole numbers of days, 1 to \(DayBitmap.span)")
    }
    return values
  }
}

extension RuleBound {
  static let settingKeys: Set = ["setting"]

  /// `10`, `budget`, `{ setting: NAME }`.
  fileprivate init(_ reader: FormReader, _ catalogue: RuleCatalogue) throws(RuleError) {
    if reader.value.members != nil {
      try reader.refuseUnknown(Self.settingKeys)
      let setting = try reader.required("setting")
      let name = try setting.text()
      guard let title = catalogue.settings[name] else {
        let known = catalogue.settings.keys.sorted().joined(separator: ", ")
        let advice = NearestName.advice(name, among: catalogue.settings.keys)
        throw setting.error(
          "'\(name.excerpt)' is not a setting; there are \(known.isEmpty ? "none" : known)\(advice)"
        )
      }
      self = .setting(name, title: title)
    } else if let number = ExactNumber(try reader.text()) {
      self = .number(number)
    } else {
      self = .member(try reader.payloadPath())
    }
  }
}

extension RulePeriodSource {
  /// `day`, `week`, `month`, or a value: `{{period}}`.
  fileprivate init(_ reader: FormReader) throws(RuleError) {
    if let period = RulePeriod(rawValue: try reader.text()) {
      self = .fixed(period)
      return
    }
    let template = try reader.plainTemplate()
    guard template.bare != nil else { throw reader.error("expected day, week, month, or one value, like {{period}}") }
    self = .template(template)
  }
}
