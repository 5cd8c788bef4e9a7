extension JSONWriter {
  /// A value as a text of its own.
  public static func text(_ json: JSONValue) -> String {
    var writer = JSONWriter()
    writer.value(json)
    return writer.text
  }

  /// Writes a value that was read elsewhere: members in their order, numbers with the digits they came with.
  public mutating func value(_ json: JSONValue) {
    switch json {
    case .null: raw("null")
    case .boolean(let value): raw(value ? "true" : "false")
    case .number(let text): raw(text)
    case .string(let text): string(text)
    case .array(let elements):
      array { writer in
        for element in elements { writer.value(element) }
      }
    case .object(let members): object { $0.members(members) }
    }
  }

  /// Writes fields of an object that is begun.
  public mutating func members(_ members: [JSONMember]) {
    for member in members {
      dynamicKey(member.name)
      value(member.value)
    }
  }
}
