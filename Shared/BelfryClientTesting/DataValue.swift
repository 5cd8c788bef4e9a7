import BelfryJSON

/// A text, number or boolean that a notification or an event carries; written as a literal.
public enum DataValue: Sendable, Hashable {
  case text(String)
  case integer(Int)
  case double(Double)
  case boolean(Bool)
}

extension DataValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral
{
  public init(stringLiteral value: String) { self = .text(value) }
  public init(integerLiteral value: Int) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension DataValue {
  var json: JSONValue {
    switch self {
    case .text(let value): .string(value)
    case .integer(let value): .number(String(value))
    case .double(let value): value.isFinite ? .number("\(value)") : .null
    case .boolean(let value): .boolean(value)
    }
  }

  /// As `data` has it, whose values are all texts.
  var text: String {
    switch self {
    case .text(let value): value
    case .integer(let value): String(value)
    case .double(let value): "\(value)"
    case .boolean(let value): String(value)
    }
  }
}

extension [String: DataValue] {
  /// The members `data` and `dataObject` of a notification; nil where there is nothing.
  var texts: (data: String?, object: String?) {
    if isEmpty { return (nil, nil) }
    let members = sorted { $0.key < $1.key }
    return (
      JSONWriter.text(.object(members.map { JSONMember($0.key, $0.value.text) })),
      JSONWriter.text(.object(members.map { JSONMember($0.key, $0.value.json) }))
    )
  }
}
