public import BelfryJSON
public import Rules

/// Texts whose values wait for the reader's formats: a plain one is a string, others are lists of strings and of
/// `{"value": "12.5", "filters": ["money:EUR"]}`.
extension JSONFields {
  public func ruleTexts(_ name: String) throws(JSONFieldError) -> [String: RuleText] {
    var texts: [String: RuleText] = [:]
    for member in try members(name) {
      if let text = member.value.string {
        texts[member.name] = RuleText(text)
      } else if let parts = member.value.array {
        texts[member.name] = RuleText(try parts.map { (part) throws(JSONFieldError) in try Self.part(part, of: name) })
      } else {
        throw JSONFieldError("expected texts", at: name)
      }
    }
    return texts
  }

  private static func part(_ value: JSONValue, of name: String) throws(JSONFieldError) -> RuleText.Part {
    if let text = value.string { return .text(text) }
    guard let text = value["value"]?.string, let filters = value["filters"]?.array else {
      throw JSONFieldError("expected a text, or a value with its filters", at: name)
    }
    return .formatted(
      text,
      try filters.map { (filter) throws(JSONFieldError) in
        guard let words = filter.string else { throw JSONFieldError("expected a filter", at: name) }
        let parts = words.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return RuleText.Filter(parts[0], argument: parts.count > 1 ? parts[1] : nil)
      }
    )
  }
}

extension JSONWriter {
  public mutating func field(_ name: StaticString, _ texts: [String: RuleText]) {
    object(name) { writer in
      for (name, text) in texts.sorted(by: { $0.key < $1.key }) {
        if text.isPlain { writer.dynamicField(name, text.unformatted) } else { writer.dynamicField(name, text) }
      }
    }
  }

  private mutating func dynamicField(_ name: String, _ text: RuleText) {
    dynamicKey(name)
    array { writer in
      for part in text.parts {
        switch part {
        case .text(let words): writer.string(words)
        case .formatted(let value, let filters):
          writer.object { writer in
            writer.field("value", value)
            writer.array("filters") { writer in
              for filter in filters { writer.string(filter.argument.map { "\(filter.name):\($0)" } ?? filter.name) }
            }
          }
        }
      }
    }
  }
}

extension RuleText {
  fileprivate var isPlain: Bool {
    parts.allSatisfy { if case .text = $0 { true } else { false } }
  }
}
