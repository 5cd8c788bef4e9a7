import BelfryJSON

/// Checks a JSON value against ``FCMSchema``: names, types, formats. What the values mean is ``FCMValidator``'s work.
enum FCMShape {
  static func check(_ value: JSONValue, _ type: FCMField, at path: String) throws(FCMFailure) {
    switch type {
    case .message(let fields): try checkMessage(value, fields, at: path)
    case .string:
      guard value.string != nil else { throw invalid(value, "TYPE_STRING", at: path) }
    case .boolean:
      guard value.boolean != nil else { throw invalid(value, "TYPE_BOOL", at: path) }
    case .integer:
      guard value.integer.flatMap({ Int32(exactly: $0) }) ?? value.string.flatMap({ Int32($0) }) != nil else {
        throw invalid(value, "TYPE_INT32", at: path)
      }
    case .number:
      guard value.double != nil else { throw invalid(value, "TYPE_FLOAT", at: path) }
    case .duration:
      guard let text = value.string, seconds(text) != nil else {
        throw .invalidJSON(
          at: path,
          "Invalid value at '\(path)' (type.googleapis.com/google.protobuf.Duration), Illegal duration format; duration"
            + " must end with 's'"
        )
      }
    case .timestamp:
      guard let text = value.string, isTimestamp(text) else {
        throw invalid(value, "type.googleapis.com/google.protobuf.Timestamp", at: path)
      }
    case .enumeration(let names):
      guard let text = value.string, names.contains(text) || names.contains(text.uppercased()) else {
        throw invalid(value, "TYPE_ENUM", at: path)
      }
    case .stringMap: try checkMap(value, at: path)
    case .freeForm:
      guard value.members != nil else { throw invalid(value, "type.googleapis.com/google.protobuf.Struct", at: path) }
    case .list(let element):
      guard case .array(let values) = value else { throw invalid(value, "TYPE_LIST", at: path) }
      for (index, value) in values.enumerated() { try check(value, element, at: "\(path)[\(index)]") }
    }
  }

  /// Seconds in a protobuf duration such as `3.5s`; nil if it is none.
  static func seconds(_ text: String) -> Double? {
    guard text.last == "s" else { return nil }
    let digits = text.dropLast()
    guard let first = digits.first, first.isASCII, first.isNumber || first == "-",
      digits.dropFirst().allSatisfy({ $0.isASCII && $0.isNumber || $0 == "." }),
      (digits.split(separator: ".", omittingEmptySubsequences: false).dropFirst().first?.count ?? 0) <= 9
    else { return nil }
    return Double(digits)
  }

  /// The JSON mapping accepts `collapseKey` and `collapse_key` alike; this is the latter.
  static func canonical(_ name: String) -> String {
    guard name.utf8.contains(where: { (0x41...0x5A).contains($0) }) else { return name }
    var result = ""
    for character in name {
      if character.isUppercase { result.append("_") }
      result.append(character.lowercased())
    }
    return result
  }

  // MARK: Parts

  private static func checkMessage(_ value: JSONValue, _ fields: [String: FCMField], at path: String)
    throws(FCMFailure)
  {
    guard let members = value.members else { throw invalid(value, "TYPE_MESSAGE", at: path) }
    for member in members {
      guard let type = fields[member.name] ?? fields[canonical(member.name)] else {
        let place = path.isEmpty ? "" : " at '\(path)'"
        throw .invalidJSON(
          at: path,
          "Invalid JSON payload received. Unknown name \"\(member.name)\"\(place): Cannot find field."
        )
      }
      if member.value == .null { continue }
      try check(member.value, type, at: path.isEmpty ? member.name : "\(path).\(member.name)")
    }
  }

  private static func checkMap(_ value: JSONValue, at path: String) throws(FCMFailure) {
    guard let members = value.members else { throw invalid(value, "TYPE_MESSAGE", at: path) }
    for (index, member) in members.enumerated() where member.value.string == nil {
      throw invalid(member.value, "TYPE_STRING", at: "\(path)[\(index)].value")
    }
  }

  private static func isTimestamp(_ text: String) -> Bool {
    let pattern = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)/
    return text.wholeMatch(of: pattern) != nil
  }

  private static func invalid(_ value: JSONValue, _ type: String, at path: String) -> FCMFailure {
    let shown: String =
      switch value {
      case .string(let text): "\"\(text.prefix(64))\""
      case .number(let text): text
      case .boolean(let value): "\(value)"
      case .null: "null"
      case .array, .object: "a structure"
      }
    return .invalidJSON(at: path, "Invalid value at '\(path)' (\(type)), \(shown)")
  }
}
