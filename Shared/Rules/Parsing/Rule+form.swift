import JSON
import WallClock

extension Rule {
  static let keys: Set = [
    "name", "on", "absent", "for", "time", "user", "key", "let", "when", "remind", "unless", "names", "data", "about",
    "notify",
  ]
  static let maximumData = 32

  /// Checks a rule as a whole.
  ///
  /// - Throws: ``RuleError`` naming the rule, the field and the problem.
  public init(_ form: RuleForm, in catalogue: RuleCatalogue) throws(RuleError) {
    let reader = FormReader(rule: form.name, path: "", value: form.value)
    try reader.refuseUnknown(Self.keys)
    name = try reader.required("name").converted("1 to 64 lower-case letters, digits and '-'", Self.name)
    trigger = try Self.trigger(reader, catalogue)
    if let user = reader.reader("user") {
      self.user = try user.plainTemplate()
      guard let place = self.user?.bare, !place.isOptional else {
        throw user.error("expected one value, like {{userId}}")
      }
    } else if case .absence = trigger {
      user = RuleTemplate(path: PayloadPath("userId")!)
    } else {
      user = nil
    }
    key = try reader.reader("key").map { reader throws(RuleError) in try reader.plainTemplate() }
    lets = try Self.lets(reader)
    let unless = try reader.reader("unless").map { reader throws(RuleError) in try reader.payloadPaths(atMost: 8) }
    self.unless = unless ?? []
    names = try Self.names(reader)
    condition = try RuleCondition(reader, catalogue)
    data = try reader.reader("data").map { reader throws(RuleError) in try Self.data(reader, catalogue) }
    notices = try RuleNotices(reader.required("notify"), about: reader.reader("about"), catalogue)
    try check(reader, catalogue)
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
        throw field.error("'\(name.excerpt)' is not an event of the catalogue")
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
      let reader = try lets.required(name)
      guard let path = PayloadPath(name), path.steps.count == 1 else { throw reader.error("expected a plain name") }
      computations[name] = try RuleComputation(reader)
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
      let field = try reader.required(name)
      guard PayloadPath(name)?.steps.count == 1 else { throw field.error("expected a plain name") }
      paths[name] = try field.payloadPath()
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
      guard (1...128).contains(name.utf8.count), !name.hasControlCharacters else {
        throw reader.error("a name has 1 to 128 bytes without control characters", at: name.excerpt)
      }
      if let problem = catalogue.dataNameProblem(name) { throw reader.error(problem, at: name) }
      data[name] = try reader.required(name).template()
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
