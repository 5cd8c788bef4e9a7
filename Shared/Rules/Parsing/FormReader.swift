import BelfryJSON
import TerminalText
import WallClock

/// Reads the fields of a rule. A problem ends the reading of the part that it is in, and is reported with the rule and the field's path.
struct FormReader {
  let rule: String
  let path: String
  let value: JSONValue
  let problems: RuleProblems

  func error(_ problem: String, at field: String? = nil) -> RuleError {
    RuleError(rule: rule, field: field.map(place) ?? path, problem: problem)
  }

  private func place(_ field: String) -> String { path.isEmpty ? field : "\(path).\(field)" }

  /// Names in their order; fails for what is no mapping.
  func names() throws(RuleError) -> [String] {
    guard let members = value.members else { throw error("expected a mapping") }
    return members.map(\.name)
  }

  /// Reports every name that is none of these.
  func refuseUnknown(_ known: Set<String>) throws(RuleError) {
    for name in try names() where !known.contains(name) {
      let advice = NearestName.advice(name, among: known)
      let list = known.sorted().joined(separator: ", ")
      problems.add(error("is not a known key; known are \(list)\(advice)", at: name.excerpt))
    }
  }

  /// What is read of a part; nil after a problem, which is reported, so that the other parts are read as well.
  func part<Value>(_ read: () throws(RuleError) -> Value) -> Value? {
    do throws(RuleError) {
      return try read()
    } catch {
      problems.add(error)
      return nil
    }
  }

  func has(_ field: String) -> Bool { value[field] != nil }

  /// Something that was reported already: what is read no further for it is not reported once more.
  var reported: RuleError { problems.errors.last ?? error("cannot be read") }

  /// Two parts of one thing, so that a mistake in the first does not hide one in the second.
  func both<First, Second>(
    _ first: () throws(RuleError) -> First,
    _ second: () throws(RuleError) -> Second
  ) throws(RuleError) -> (First, Second) {
    let (one, two) = (part(first), part(second))
    guard let one, let two else { throw reported }
    return (one, two)
  }

  /// Nil if the field is absent or null.
  func reader(_ field: String) -> FormReader? {
    value[field].map { FormReader(rule: rule, path: place(field), value: $0, problems: problems) }
  }

  func required(_ field: String) throws(RuleError) -> FormReader {
    guard let reader = reader(field) else { throw error("is missing", at: field) }
    return reader
  }

  /// The elements of a list, or the one thing that is no list.
  func elements(atMost limit: Int) throws(RuleError) -> [FormReader] {
    guard let elements = value.array else { return [self] }
    guard (1...limit).contains(elements.count) else { throw error("expected 1 to \(limit) elements") }
    return elements.enumerated().map {
      FormReader(rule: rule, path: "\(path)[\($0)]", value: $1, problems: problems)
    }
  }

  // MARK: Scalars

  func text() throws(RuleError) -> String {
    guard let text = value.string, !text.isEmpty, !text.hasControlCharacters else {
      throw error("expected a text")
    }
    return text
  }

  /// - Parameter expected: What the text must be, for the error.
  func converted<Value>(_ expected: String, _ convert: (String) -> Value?) throws(RuleError) -> Value {
    guard let value = convert(try text()) else {
      throw error("expected \(expected), not '\(try text().excerpt)'")
    }
    return value
  }

  func number() throws(RuleError) -> ExactNumber { try converted("a number", ExactNumber.init) }

  /// A member of the payload, with or without braces: `newBalance`.
  func payloadPath() throws(RuleError) -> PayloadPath {
    let text = try text()
    if text.hasPrefix("{{") {
      guard let place = try template().bare, !place.isOptional else { throw error("expected a member of the payload") }
      return place.path
    }
    return try converted("a member of the payload", PayloadPath.init)
  }

  func template() throws(RuleError) -> RuleTemplate {
    guard let text = value.string, !text.hasControlCharacters else { throw error("expected a text") }
    do throws(TemplateProblem) { return try RuleTemplate(text) } catch { throw self.error(error.words) }
  }

  /// A template that formats nothing.
  func plainTemplate() throws(RuleError) -> RuleTemplate {
    let template = try template()
    guard template.places.allSatisfy({ $0.filters.isEmpty }) else { throw error("filters have no meaning here") }
    return template
  }

  /// One or several members: `completed`, `[completed, paid]`.
  func payloadPaths(atMost limit: Int) throws(RuleError) -> [PayloadPath] {
    var paths: [PayloadPath] = []
    for element in try elements(atMost: limit) { paths.append(try element.payloadPath()) }
    return paths
  }

  /// Different numbers in ascending order.
  func numbers(atMost limit: Int) throws(RuleError) -> [ExactNumber] {
    guard value.array != nil else { throw error("expected a list of numbers") }
    var numbers: [ExactNumber] = []
    for element in try elements(atMost: limit) { numbers.append(try element.number()) }
    guard Set(numbers).count == numbers.count else { throw error("has the same number twice") }
    return numbers.sorted()
  }
}
