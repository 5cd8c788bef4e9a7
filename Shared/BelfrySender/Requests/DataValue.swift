public import Foundation

/// A value of a notification's data: a text, a number, or true or false.
public enum DataValue: Sendable, Hashable {
  case text(String)
  case integer(Int64)
  case decimal(Decimal)
  case boolean(Bool)
}

extension DataValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral
{
  public init(stringLiteral text: String) { self = .text(text) }

  public init(integerLiteral integer: Int64) { self = .integer(integer) }

  public init(booleanLiteral boolean: Bool) { self = .boolean(boolean) }
}

extension DataValue: Decodable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let boolean = try? container.decode(Bool.self) {
      self = .boolean(boolean)
    } else if let integer = try? container.decode(Int64.self) {
      self = .integer(integer)
    } else if let decimal = try? container.decode(Decimal.self) {
      self = .decimal(decimal)
    } else {
      self = .text(try container.decode(String.self))
    }
  }
}

extension DataValue {
  var node: JSONNode {
    switch self {
    case .text(let text): .text(text)
    case .integer(let integer): .integer(integer)
    case .decimal(let decimal): .decimal(decimal)
    case .boolean(let boolean): .boolean(boolean)
    }
  }

  /// As the gateway counts it.
  var size: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .integer(let integer): "\(integer)".utf8.count
    case .decimal(let decimal): "\(decimal)".utf8.count
    case .boolean(let boolean): "\(boolean)".utf8.count
    }
  }
}

extension [String: DataValue] {
  /// Bytes of names and values together, and entries.
  private static let (maximumSize, maximumCount) = (4_096, 64)

  /// - Parameter taken: Names that are given otherwise.
  func node(_ field: String, taken: Set<String>, _ checks: inout FieldChecks) -> JSONNode {
    if count > Self.maximumCount {
      checks.problem(field, "has \(count) entries; at most \(Self.maximumCount) are allowed")
    }
    let size = reduce(0) { $0 + $1.key.utf8.count + $1.value.size }
    if size > Self.maximumSize {
      checks.problem(field, "has \(size) bytes; at most \(Self.maximumSize) are allowed")
    }
    for (name, value) in sorted(by: { $0.key < $1.key }).prefix(Self.maximumCount) {
      // As the gateway shortens it.
      let field = "\(field).\(String(String.UnicodeScalarView(name.unicodeScalars.prefix(64))))"
      _ = checks.name(name, field, limit: 128)
      if name.utf8.count > 128 { checks.problem(field, "a name has 1 to 128 bytes") }
      if ["from", "message_type"].contains(name) || name.hasPrefix("google") || name.hasPrefix("gcm") {
        checks.problem(field, "is a name that FCM reserves")
      }
      if taken.contains(name) { checks.problem(field, "is given by each occurrence; leave it out") }
      switch value {
      case .text(let text): _ = checks.text(text, field, limit: 4_096, allowsLineBreaks: true)
      case .decimal(let decimal) where decimal.isNaN: checks.problem(field, "is no number")
      case .decimal, .integer, .boolean: break
      }
    }
    return .object(mapValues(\.node))
  }
}
