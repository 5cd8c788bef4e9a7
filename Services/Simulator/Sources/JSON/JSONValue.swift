/// A JSON text as a tree that keeps the order of members and the place of each in the source.
enum JSONValue: Sendable, Equatable {
  case null
  case boolean(Bool)
  /// The number as it was written: nothing is lost to floating point.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([Member])

  struct Member: Sendable, Equatable {
    let name: String
    let value: JSONValue
    /// Where the value stands in the source, in bytes.
    let range: Range<Int>
  }

  /// The value of a member of an object; nil if this is no object, it has no such member, or the member is null.
  subscript(_ name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    guard let value = members.last(where: { $0.name == name })?.value, value != .null else { return nil }
    return value
  }

  var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  var integer: Int? {
    if case .number(let text) = self { Int(text) } else { nil }
  }

  var double: Double? {
    if case .number(let text) = self { Double(text) } else { nil }
  }

  var boolean: Bool? {
    if case .boolean(let value) = self { value } else { nil }
  }

  var members: [Member]? {
    if case .object(let members) = self { members } else { nil }
  }
}
