public import BelfryJSON

/// What a field of a client's JSON may hold.
public protocol FieldValue {
  /// Nil if the JSON is of another kind.
  init?(_ json: JSONValue)
}

extension String: FieldValue {
  public init?(_ json: JSONValue) {
    guard let value = json.string else { return nil }
    self = value
  }
}

extension Int: FieldValue {
  public init?(_ json: JSONValue) {
    guard let value = json.integer else { return nil }
    self = value
  }
}

extension Bool: FieldValue {
  public init?(_ json: JSONValue) {
    guard let value = json.boolean else { return nil }
    self = value
  }
}

/// Whatever stands there.
extension JSONValue: FieldValue {
  public init?(_ json: JSONValue) {
    self = json
  }
}

extension Array: FieldValue where Element: FieldValue {
  public init?(_ json: JSONValue) {
    guard let elements = json.array else { return nil }
    self = []
    reserveCapacity(elements.count)
    for element in elements {
      guard let value = Element(element) else { return nil }
      append(value)
    }
  }
}
