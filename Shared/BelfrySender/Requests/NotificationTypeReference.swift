/// A type of the catalogue, by its code or by its name: `99` or `"SystemAnnouncement"`.
public enum NotificationTypeReference: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  case name(String)
  /// 1 to 32,767.
  case code(Int)

  public init(stringLiteral name: String) { self = .name(name) }

  public init(integerLiteral code: Int) { self = .code(code) }

  func node(_ field: String, _ checks: inout FieldChecks) -> JSONNode {
    switch self {
    case .name(let name): return checks.name(name, field, limit: 64)
    case .code(let code):
      if !(1...32_767).contains(code) { checks.problem(field, "expected a code from 1 to 32767") }
      return .integer(Int64(code))
    }
  }
}

extension NotificationTypeReference: Decodable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let code = try? container.decode(Int.self) {
      self = .code(code)
    } else {
      self = .name(try container.decode(String.self))
    }
  }
}
