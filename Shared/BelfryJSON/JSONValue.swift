/// A JSON text as a tree that keeps the order of members and the place of each in the source.
public enum JSONValue: Sendable, Equatable {
  case null
  case boolean(Bool)
  /// The number as it was written: nothing is lost to floating point.
  case number(String)
  case string(String)
  case array([JSONValue])
  /// Where a name is repeated, the last one counts.
  case object([JSONMember])

  /// The value of a member of an object; nil if this is no object, it has no such member, or the member is null.
  public subscript(_ name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members[name]
  }

  public var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// A whole number, also one written like `1.0` or `1e3`.
  public var integer: Int? {
    guard case .number(let text) = self else { return nil }
    return Int(text) ?? Double(text).flatMap { Int(exactly: $0) }
  }

  public var double: Double? {
    if case .number(let text) = self { Double(text) } else { nil }
  }

  public var boolean: Bool? {
    if case .boolean(let value) = self { value } else { nil }
  }

  public var array: [JSONValue]? {
    if case .array(let values) = self { values } else { nil }
  }

  public var members: [JSONMember]? {
    if case .object(let members) = self { members } else { nil }
  }
}

/// A named value of an object.
public struct JSONMember: Sendable, Equatable {
  public let name: String
  public let value: JSONValue
  /// Where the value stands in the source, in bytes.
  public let range: Range<Int>

  public init(name: String, value: JSONValue, range: Range<Int>) {
    self.name = name
    self.value = value
    self.range = range
  }
}

extension [JSONMember] {
  /// The value of the last member of that name; nil if there is none, or if it is null.
  public subscript(_ name: String) -> JSONValue? {
    guard let value = last(where: { $0.name == name })?.value else { return nil }
    if case .null = value { return nil }
    return value
  }
}
