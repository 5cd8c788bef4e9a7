import BelfryJSON

/// What YAML says, with every scalar as its text, the way a catalogue hands its rules on.
struct YAMLTree: Decodable {
  let json: JSONValue

  init(from decoder: any Decoder) throws {
    json = try Self.value(decoder)
  }

  private static func value(_ decoder: any Decoder) throws -> JSONValue {
    if let map = try? decoder.container(keyedBy: Key.self) {
      return .object(
        try map.allKeys.sorted { $0.stringValue < $1.stringValue }.map { key in
          JSONMember(key.stringValue, try value(map.superDecoder(forKey: key)))
        }
      )
    }
    if var list = try? decoder.unkeyedContainer() {
      var elements: [JSONValue] = []
      while !list.isAtEnd { elements.append(try value(list.superDecoder())) }
      return .array(elements)
    }
    let scalar = try decoder.singleValueContainer()
    return scalar.decodeNil() ? .null : .string(try scalar.decode(String.self))
  }

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { stringValue = String(intValue) }
  }
}
