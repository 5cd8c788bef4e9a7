public import BelfryJSON

extension JSONWriter {
  public mutating func value(_ value: HubValue) {
    switch value {
    case .null: null()
    case .bool(let value): bool(value)
    case .integer(let value): integer(Int(value))
    case .double(let value): double(value)
    case .string(let value): string(value)
    case .data(let bytes): string(Base64.text(bytes))
    case .array(let values):
      array { writer in for value in values { writer.value(value) } }
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
