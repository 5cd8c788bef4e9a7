import JSON

extension JSONValue {
  /// For a person: texts without quotes, lists with commas, and what has parts as JSON.
  var shown: String {
    switch self {
    case .null: "-"
    case .boolean(let value): value ? "yes" : "no"
    case .number(let text): text
    case .string(let text): text
    case .array(let elements): elements.isEmpty ? "-" : elements.map(\.shown).joined(separator: ", ")
    case .object: JSONWriter.text(self)
    }
  }

  /// A line for each member that has a value, in their order.
  var record: [String] {
    (members ?? []).filter { $0.value != .null }.map { "\($0.name): \($0.value.shown)" }
  }

  /// A share of one, as a percentage with a decimal; `-` where nothing is counted.
  var percentage: String {
    guard let value = double else { return "-" }
    let tenths = Int((value * 1_000).rounded())
    return "\(tenths / 10).\(tenths % 10)%"
  }
}
