public import JSON

/// A rule as a catalogue's YAML has it, not yet checked: ``Rule/init(_:in:)`` does that.
///
/// Decodes anything, so that every problem is told with the rule and the field. All scalars are kept as their text:
/// YAML's own opinion of `09:00` (540) and `25.10` is of no use here.
public struct RuleForm: Decodable, Sendable {
  let value: JSONValue

  public init(from decoder: any Decoder) throws {
    value = try Self.value(decoder, depth: 0)
  }

  /// A rule that was read as a tree.
  public init(_ json: JSONValue) {
    value = Self.texts(json)
  }

  private static func texts(_ json: JSONValue) -> JSONValue {
    switch json {
    case .null: .null
    case .string(let text), .number(let text): .string(text)
    case .boolean(let truth): .string(String(truth))
    case .array(let elements): .array(elements.map(texts))
    case .object(let members): .object(members.map { JSONMember($0.name, texts($0.value)) })
    }
  }

  /// The rule's name as far as it has one, for messages.
  public var name: String { value["name"]?.string ?? "" }

  private static let maximumDepth = 8

  private static func value(_ decoder: any Decoder, depth: Int) throws -> JSONValue {
    guard depth < maximumDepth else {
      let context = DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "nested too deeply")
      throw DecodingError.dataCorrupted(context)
    }
    if let map = try? decoder.container(keyedBy: Key.self) {
      return .object(
        try map.allKeys.sorted { $0.stringValue < $1.stringValue }.map { key in
          JSONMember(key.stringValue, try value(map.superDecoder(forKey: key), depth: depth + 1))
        }
      )
    }
    if var list = try? decoder.unkeyedContainer() {
      var elements: [JSONValue] = []
      while !list.isAtEnd { elements.append(try value(list.superDecoder(), depth: depth + 1)) }
      return .array(elements)
    }
    let scalar = try decoder.singleValueContainer()
    if scalar.decodeNil() { return .null }
    if let text = try? scalar.decode(String.self) { return .string(text) }
    // Of decoders that are strict about types, like JSON's.
    if let truth = try? scalar.decode(Bool.self) { return .string(String(truth)) }
    if let number = try? scalar.decode(Int.self) { return .string(String(number)) }
    let number = try scalar.decode(Double.self)
    return .string(ExactNumber("\(number)")?.description ?? "\(number)")
  }

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { stringValue = String(intValue) }
  }
}
