import BelfryJSON

/// What a rule's templates and conditions can name: the payload's members, what `let` computes, and what the engine knows.
struct RuleVariables: Sendable {
  /// An object.
  let payload: JSONValue
  let lets: [String: RuleComputation]
  /// Stronger than the payload: the value reached, `days`, `due`.
  var known: [String: String] = [:]

  /// A value at a path; a member of the payload is stronger than a computation of the same name.
  func value(_ path: PayloadPath) throws(RuleRefusal) -> JSONValue? {
    if path.steps.count == 1, let known = known[path.root] { return .string(known) }
    if let value = path.value(in: payload) { return value }
    guard path.steps.count == 1, let computation = lets[path.root] else { return nil }
    return try computation.result(self).map { .number($0.description) }
  }

  /// A number, or a text that is one; nil if there is none.
  func number(_ path: PayloadPath) throws(RuleRefusal) -> ExactNumber? {
    guard let value = try value(path) else { return nil }
    return try Self.number(value, path)
  }

  static func number(_ value: JSONValue, _ path: PayloadPath) throws(RuleRefusal) -> ExactNumber {
    let text: String
    switch value {
    case .number(let written), .string(let written): text = written
    case .null, .boolean, .array, .object: throw RuleRefusal(payload: path, "expected a number")
    }
    guard let number = ExactNumber(text) else {
      throw RuleRefusal(payload: path, "expected a number below 10^15, not '\(text.excerpt)'")
    }
    return number
  }

  /// Whether there is anything but false, 0 and an empty text.
  func isTrue(_ path: PayloadPath) throws(RuleRefusal) -> Bool {
    switch try value(path) {
    case nil, .null?: false
    case .boolean(let truth)?: truth
    case .number(let text)?: ExactNumber(text).map { $0 != ExactNumber(0) } ?? true
    case .string(let text)?: !["", "false", "0"].contains(text.lowercased())
    case .array(let elements)?: !elements.isEmpty
    case .object?: true
    }
  }

  // MARK: Templates

  /// The text without regard to filters; nil if the template is one optional place without a value.
  func text(_ template: RuleTemplate) throws(RuleRefusal) -> String? { try fill(template)?.unformatted }

  func fill(_ template: RuleTemplate) throws(RuleRefusal) -> RuleText? {
    var parts: [RuleText.Part] = []
    var size = 0
    for part in template.parts {
      switch part {
      case .text(let literal): parts.append(.text(literal))
      case .place(let place):
        guard let value = try value(place.path) else {
          guard place.isOptional else { throw RuleRefusal(payload: place.path, "is missing") }
          if template.parts.count == 1 { return nil }
          continue
        }
        guard let text = Self.scalar(value) else {
          throw RuleRefusal(payload: place.path, "expected a text, a number or a boolean")
        }
        guard !text.hasControlCharactersOtherThanLineBreaks else {
          throw RuleRefusal(payload: place.path, "must not contain control characters")
        }
        size += text.utf8.count
        guard size <= RuleTemplate.maximumFilled else {
          throw RuleRefusal("payload", "makes a text of more than \(RuleTemplate.maximumFilled) bytes")
        }
        parts.append(place.filters.isEmpty ? .text(text) : .formatted(text, try filters(place)))
      }
    }
    return RuleText(parts)
  }

  /// What a person would write; nil for null and what has parts.
  static func scalar(_ value: JSONValue) -> String? {
    switch value {
    case .string(let text), .number(let text): text
    case .boolean(let truth): String(truth)
    case .null, .array, .object: nil
    }
  }

  private func filters(_ place: RuleTemplate.Place) throws(RuleRefusal) -> [RuleText.Filter] {
    var filters: [RuleText.Filter] = []
    for filter in place.filters {
      switch filter.argument {
      case nil: filters.append(RuleText.Filter(filter.name))
      case .text(let text)?: filters.append(RuleText.Filter(filter.name, argument: text))
      case .value(let path)?:
        filters.append(RuleText.Filter(filter.name, argument: try value(path).flatMap(Self.scalar)))
      }
    }
    return filters
  }
}
