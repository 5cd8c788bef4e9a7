public import BelfryJSON

extension JSONValue {
  /// For a person: texts without quotes, lists with commas, and what has parts as JSON.
  public var shown: String {
    switch self {
    case .null: "-"
    case .boolean(let value): value ? "yes" : "no"
    case .number(let text): text
    case .string(let text): text
    case .array(let elements): elements.isEmpty ? "-" : elements.map(\.shown).joined(separator: ", ")
    case .object: JSONWriter.text(self)
    }
  }
}
