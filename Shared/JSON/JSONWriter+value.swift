extension JSONWriter {
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
    case .object(let members):
      object { writer in
        for member in members {
          writer.dynamicKey(member.name)
          writer.value(member.value)
        }
      }
    }
  }
}
