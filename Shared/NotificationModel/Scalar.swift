import JSON

/// A JSON string, number or boolean, kept apart so that it can be turned into the text a person would write.
enum Scalar: FieldValue, Sendable, CustomStringConvertible {
  case text(String)
  case integer(Int)
  /// As it was written.
  case number(String)
  case boolean(Bool)

  init?(_ json: JSONValue) {
    switch json {
    case .string(let value): self = .text(value)
    case .boolean(let value): self = .boolean(value)
    case .number(let text): self = Int(text).map(Scalar.integer) ?? .number(text)
    case .null, .array, .object: return nil
    }
  }

  var description: String {
    switch self {
    case .text(let value): value
    case .integer(let value): String(value)
    case .number(let value): value
    case .boolean(let value): String(value)
    }
  }
}
