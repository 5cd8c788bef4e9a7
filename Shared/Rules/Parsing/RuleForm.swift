public import BelfryJSON

/// A rule as a catalogue's YAML has it, not yet checked: ``Rule/init(_:in:)`` does that.
///
/// Takes anything, so that every problem is reported with the rule and the field. All scalars are kept as their text:
/// YAML's own opinion of `09:00` (540) and `25.10` is of no use here.
public struct RuleForm: Sendable {
  let value: JSONValue

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
}
