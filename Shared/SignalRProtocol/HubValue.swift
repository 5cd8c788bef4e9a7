/// A value inside a hub message, the same in every hub protocol.
public enum HubValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  case double(Double)
  case string(String)
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

  public var integerValue: Int64? {
    guard case .integer(let value) = self else { return nil }
    return value
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

/// A named value of an object.
public struct HubMember: Sendable, Equatable {
  public let name: String
  public let value: HubValue

  public init(_ name: String, _ value: HubValue) {
    self.name = name
    self.value = value
  }
}
