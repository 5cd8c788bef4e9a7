public import BelfryJSON

extension HubValue {
  /// The same value as JSON has it, except that numbers become binary.
  ///
  /// Whole numbers beyond 64 bits with sign become floating point. A number that is too large even for that, e.g.
  /// `1e999`, becomes the string of its digits: nobody loses a message for it.
  public init(_ json: JSONValue) {
    switch json {
    case .null: self = .null
    case .boolean(let value): self = .bool(value)
    case .number(let text):
      if let value = Int64(text) {
        self = .integer(value)
      } else if let value = Double(text), value.isFinite {
        self = .double(value)
      } else {
        self = .string(text)
      }
    case .string(let value): self = .string(value)
    case .array(let elements): self = .array(elements.map(HubValue.init))
    case .object(let members): self = .object(members.map { HubMember($0.name, HubValue($0.value)) })
    }
  }
}
