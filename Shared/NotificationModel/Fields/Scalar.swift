import BelfryJSON

/// A JSON string, number or boolean, kept apart so that it can be turned into the text a person would write.
enum Scalar: FieldValue, Sendable, CustomStringConvertible {
  case text(String)
  /// As it was written.
  case number(String)
  case boolean(Bool)

  init?(_ json: JSONValue) {
    switch json {
    case .string(let value): self = .text(value)
    case .boolean(let value): self = .boolean(value)
    case .number(let text): self = .number(text)
    case .null, .array, .object: return nil
    }
  }

  /// A number that is whole, however it is written.
  var integer: Int? {
    guard case .number(let text) = self else { return nil }
    return JSONValue.number(text).integer
  }

  /// Whether it is a number or a boolean that stays one in ``NotificationContent/literals``.
  var isLiteral: Bool {
    switch self {
    case .text: false
    case .boolean: true
    case .number(let text): DataLiteral.isKept(text)
    }
  }

  var description: String {
    switch self {
    case .text(let value): value
    case .number(let value): value
    case .boolean(let value): String(value)
    }
  }
}
