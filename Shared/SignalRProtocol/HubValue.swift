/// A value inside a hub message, the same in every hub protocol.
public enum HubValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  case double(Double)
  case string(String)
  /// Bytes; text in Base64 in JSON, and so they arrive there as a string.
  case data([UInt8])
  case array([HubValue])
  /// The members in their order; where a name is repeated, the last one counts.
  case object([HubMember])

  /// The member of an object; nil for every other value and where it is absent or null.
  public subscript(name: String) -> HubValue? {
    guard case .object(let members) = self, let value = members.last(where: { $0.name == name })?.value,
      value != .null
    else { return nil }
    return value
  }

  public var stringValue: String? {
    guard case .string(let value) = self else { return nil }
    return value
  }

  /// A whole number, also one that travelled as floating point.
  public var integerValue: Int64? {
    switch self {
    case .integer(let value): value
    case .double(let value): Int64(exactly: value)
    case .null, .bool, .string, .data, .array, .object: nil
    }
  }

  public var boolValue: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }

  public var arrayValue: [HubValue]? {
    guard case .array(let value) = self else { return nil }
    return value
  }
}
