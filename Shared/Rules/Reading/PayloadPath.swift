import BelfryJSON

/// Where a value stands in an event's payload: `newBalance`, `place.city`, `items.0.name`.
public struct PayloadPath: Hashable, Sendable, LosslessStringConvertible {
  /// At least one; none is empty.
  let steps: [String]

  static let maximumLength = 128

  /// Nil unless the text is names of ASCII letters, digits, `_` and `-` with dots between them, 128 bytes at most.
  public init?(_ text: String) {
    let steps = text.split(separator: ".", omittingEmptySubsequences: false)
    guard text.utf8.count <= Self.maximumLength, steps.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(Self.isPlain) })
    else { return nil }
    self.steps = steps.map(String.init)
  }

  public var description: String { steps.joined(separator: ".") }

  /// The member of the payload within which the path leads.
  var root: String { steps[0] }

  /// Nil if there is no such place, or it holds null.
  func value(in payload: JSONValue) -> JSONValue? {
    var value = payload
    for step in steps {
      switch value {
      case .object:
        guard let next = value[step] else { return nil }
        value = next
      case .array(let elements):
        guard let index = Int(step), elements.indices.contains(index) else { return nil }
        value = elements[index]
      case .null, .boolean, .number, .string: return nil
      }
    }
    if case .null = value { return nil }
    return value
  }

  /// Whether the payload says null there.
  func isNull(in payload: JSONValue) -> Bool {
    guard let name = steps.last else { return false }
    let outer = PayloadPath(steps.dropLast().joined(separator: "."))
    let parent = outer.map { $0.value(in: payload) } ?? payload
    return parent?.members?.last { $0.name == name }?.value == .null
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "_")
      || byte == UInt8(ascii: "-")
  }
}
