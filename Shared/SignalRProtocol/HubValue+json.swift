import JSON

extension HubValue {
  /// Reads one JSON record as a client sent it. JavaScript clients may cut an emoji in two; that ends no connection.
  static func parse(_ record: ArraySlice<UInt8>) throws(HubProtocolError) -> HubValue {
    let json: JSONValue
    do throws(JSONSyntaxError) {
      json = try JSONParser.parse(record, loneSurrogates: .replaced)
    } catch {
      throw .malformedJSON(offset: error.offset)
    }
    return try HubValue(json)
  }

  private init(_ json: JSONValue) throws(HubProtocolError) {
    switch json {
    case .null: self = .null
    case .boolean(let value): self = .bool(value)
    case .number(let text):
      if let value = Int64(text) {
        self = .integer(value)
      } else {
        guard let value = Double(text), value.isFinite else { throw .malformedJSON(offset: 0) }
        self = .double(value)
      }
    case .string(let value): self = .string(value)
    case .array(let elements):
      var values: [HubValue] = []
      values.reserveCapacity(elements.count)
      for element in elements { values.append(try HubValue(element)) }
      self = .array(values)
    case .object(let fields):
      var members: [HubMember] = []
      members.reserveCapacity(fields.count)
      for field in fields { members.append(HubMember(field.name, try HubValue(field.value))) }
      self = .object(members)
    }
  }
}
