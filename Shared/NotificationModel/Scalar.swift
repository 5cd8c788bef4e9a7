/// A JSON string, number or boolean, kept apart so that it can be turned into the text a person would write.
enum Scalar: Decodable, Sendable, CustomStringConvertible {
  case text(String)
  case integer(Int)
  case number(Double)
  case boolean(Bool)

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let value = try? container.decode(String.self) {  // each attempt fails only because the kind is another
      self = .text(value)
    } else if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? container.decode(Int.self) {
      self = .integer(value)
    } else {
      self = .number(try container.decode(Double.self))
    }
  }

  var description: String {
    switch self {
    case .text(let value): value
    case .integer(let value): String(value)
    case .number(let value): String(value)
    case .boolean(let value): String(value)
    }
  }
}
