import BelfryJSON
import TerminalText
import WallClock

extension Rule {
  static let keys: Set = [
    "name", "on", "absent", "for", "time", "user", "key", "let", "when", "remind", "unless", "names", "data", "about",
    "notify", "replaces",
  ]
  static let maximumData = 32

  /// Checks a rule as a whole.
  ///
  /// - Throws: ``RuleError`` naming the rule, the field and the first problem.
  public init(_ form: RuleForm, in catalogue: RuleCatalogue) throws(RuleError) {
    do throws(RuleErrors) {
      self = try Self.read(form, in: catalogue)
    } catch {
      throw error.errors[0]
    }
  }

  /// Checks a rule as a whole.
  ///
  /// - Throws: ``RuleErrors`` with everything that is wrong.
  public static func read(_ form: RuleForm, in catalogue: RuleCatalogue) throws(RuleErrors) -> Rule {
    let problems = RuleProblems()
    let reader = FormReader(rule: form.name, path: "", value: form.value, problems: problems)
    let rule = reader.part { () throws(RuleError) in try Rule(reader, catalogue) }
    // What the parts must not say together shows where each is good.
    if let rule, problems.errors.isEmpty { rule.check(reader, catalogue) }
    guard let rule, problems.errors.isEmpty else { throw RuleErrors(errors: problems.errors) }
    return rule
  }

  private init(_ reader: FormReader, _ catalogue: RuleCatalogue) throws(RuleError) {
    try reader.refuseUnknown(Self.keys)
    if let replaces = reader.reader("replaces"), replaces.value.string != "true" {
      reader.problems.add(replaces.error("expected true"))
    }
    let name = reader.part { () throws(RuleError) in
      try reader.required("name").converted("1 to 64 lower-case letters, digits and '-'", Self.name)
    }
    let trigger = reader.part { () throws(RuleError) in try Self.trigger(reader, catalogue) }
    let user = reader.part { () throws(RuleError) in try Self.user(reader, trigger) }
    let key = reader.part { () throws(RuleError) in try reader.reader("key")?.plainTemplate() }
    let lets = reader.part { () throws(RuleError) in try Self.lets(reader) }
    let unless = reader.part { () throws(RuleError) in try reader.reader("unless")?.payloadPaths(atMost: 8) }
    let names = reader.part { () throws(RuleError) in try Self.names(reader) }
    let condition = reader.part { () throws(RuleError) in try RuleCondition(reader, catalogue) }
    let data = reader.part { () throws(RuleError) in
      try reader.reader("data").map { reader throws(RuleError) in try Self.data(reader, catalogue) }
    }
    let notices = reader.part { () throws(RuleError) in
      try RuleNotices(reader.required("notify"), about: reader.reader("about"), catalogue)
    }
    guard let name, let trigger, let user, let key, let lets, let unless, let names, let condition, let data,
      let notices
    else { throw reader.reported }
    self.name = name
    self.trigger = trigger
    self.user = user
    self.key = key
    self.lets = lets
    self.unless = unless ?? []
    self.names = names
    self.condition = condition
    self.data = data
    self.notices = notices
  }

  private static func user(_ reader: FormReader, _ trigger: RuleTrigger?) throws(RuleError) -> RuleTemplate? {
    guard let field = reader.reader("user") else {
      guard case .absence? = trigger else { return nil }
      return RuleTemplate(path: PayloadPath("userId")!)
    }
    let user = try field.plainTemplate()
    guard let place = user.bare, !place.isOptional else { throw field.error("expected one value, like {{userId}}") }
    return user
  }

  private static func name(_ text: String) -> String? {
    let isPlain = text.utf8.allSatisfy {
      $0 &- UInt8(ascii: "a") < 26 || $0 &- UInt8(ascii: "0") < 10 || $0 == UInt8(ascii: "-")
    }
    return isPlain && (1...64).contains(text.utf8.count) ? text : nil
  }

  private static func trigger(_ reader: FormReader, _ catalogue: RuleCatalogue) throws(RuleError) -> RuleTrigger {
    func event(_ field: FormReader) throws(RuleError) -> String {
      let name = try field.text()
      guard let events = catalogue.events else { return name }
      guard let known = events.first(where: { $0.lowercased() == name.lowercased() }) else {
        let advice = NearestName.advice(name, among: events)
        throw field.error("'\(name.excerpt)' is not an event of the catalogue\(advice)")
      }
      return known
    }
    switch (reader.reader("on"), reader.reader("absent")) {
    case (nil, nil): throw reader.error("is missing, or 'absent'", at: "on")
    case (.some, .some): throw reader.error("excludes 'on'", at: "absent")
    case (let on?, nil):
      for field in ["for", "time"] where reader.has(field) {
        throw reader.error("belongs to 'absent'", at: field)
      }
      return .event(try event(on))
    case (nil, let absent?):
      for field in ["key", "let", "when", "remind", "unless", "names"] where reader.has(field) {
        throw reader.error("does not go with 'absent'", at: field)
      }
      let span = try reader.required("for")
      let offset = try span.converted("days like P3D", DayOffset.init)
      guard (1...365).contains(offset.days) else { throw span.error("expected 1 to 365 days") }
      let time = try reader.required("time").converted("a time like 09:00", LocalTime.init)
      return .absence(RuleAbsence(event: try event(absent), days: offset.days, time: time))
    }
  }

  private static func lets(_ reader: FormReader) throws(RuleError) -> [String: RuleComputation] {
    guard let lets = reader.reader("let") else { return [:] }
    var computations: [String: RuleComputation] = [:]
    let names = try lets.names()
    guard (1...8).contains(names.count) else { throw lets.error("expected 1 to 8 computations") }
    for name in names {
      computations[name] = lets.part { () throws(RuleError) in
        let reader = try lets.required(name)
        guard let path = PayloadPath(name), path.steps.count == 1 else { throw reader.error("expected a plain name") }
        return try RuleComputation(reader)
      }
    }
    for name in names where isCircular(name, computations, depth: 0) {
      throw try lets.required(name).error("is computed from itself")
    }
    return computations
  }

  private static func names(_ reader: FormReader) throws(RuleError) -> [String: PayloadPath] {
    guard let reader = reader.reader("names") else { return [:] }
    var paths: [String: PayloadPath] = [:]
    let names = try reader.names()
    guard (1...4).contains(names.count) else { throw reader.error("expected 1 to 4 members") }
    for name in names {
      paths[name] = reader.part { () throws(RuleError) in
        let field = try reader.required(name)
        guard PayloadPath(name)?.steps.count == 1 else { throw field.error("expected a plain name") }
        return try field.payloadPath()
      }
    }
    return paths
  }

  /// - Parameter depth: Longer chains than there are computations come back to one of them.
  private static func isCircular(_ name: String, _ computations: [String: RuleComputation], depth: Int) -> Bool {
    guard depth <= computations.count else { return true }
    return (computations[name]?.operands ?? []).contains { operand in
      if case .member(let path) = operand {
        isCircular(path.description, computations, depth: depth + 1)
      } else {
        false
      }
    }
  }

  static func data(_ reader: FormReader, _ catalogue: RuleCatalogue) throws(RuleError) -> [String: RuleTemplate] {
    var data: [String: RuleTemplate] = [:]
    let names = try reader.names()
    guard names.count <= maximumData else { throw reader.error("expected at most \(maximumData) entries") }
    for name in names {
      data[name] = reader.part { () throws(RuleError) in
        guard (1...128).contains(name.utf8.count), !name.hasControlCharacters else {
          throw reader.error("a name has 1 to 128 bytes without control characters", at: name.excerpt)
        }
        if let problem = catalogue.dataNameProblem(name) { throw reader.error(problem, at: name) }
        return try reader.required(name).template()
      }
    }
    return data
  }
}

extension RuleComputation {
  static let keys: Set = ["percentOf", "minus"]

  fileprivate init(_ reader: FormReader) throws(RuleError) {
    try reader.refuseUnknown(Self.keys)
    guard let name = try reader.names().first, try reader.names().count == 1 else {
      throw reader.error("expected either 'percentOf' or 'minus'")
    }
    let list = try reader.required(name)
    guard list.value.array?.count == 2 else { throw list.error("expected two members or numbers") }
    var operands: [Operand] = []
    for element in try list.elements(atMost: 2) {
      if let number = ExactNumber(try element.text()) {
        operands.append(.number(number))
      } else {
        operands.append(.member(try element.payloadPath()))
      }
    }
    self = name == "minus" ? .minus(operands[0], operands[1]) : .percentOf(operands[0], operands[1])
  }
}
