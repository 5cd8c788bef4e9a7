/// The fields of a body of type `application/x-www-form-urlencoded`; the first of several with one name counts.
struct FormFields {
  private var values: [String: String] = [:]

  init(_ body: [UInt8]) {
    for pair in body.split(separator: UInt8(ascii: "&")) {
      let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.decode(parts[0]), let value = Self.decode(parts.count > 1 ? parts[1] : []) else { continue }
      if values[name] == nil { values[name] = value }
    }
  }

  subscript(_ name: String) -> String? { values[name] }

  private static func decode(_ text: ArraySlice<UInt8>) -> String? {
    var decoded: [UInt8] = []
    var index = text.startIndex
    while index < text.endIndex {
      switch text[index] {
      case UInt8(ascii: "+"): decoded.append(0x20)
      case UInt8(ascii: "%"):
        guard index + 2 < text.endIndex,
          let byte = UInt8(String(decoding: text[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
        else { return nil }
        decoded.append(byte)
        index += 2
      default: decoded.append(text[index])
      }
      index += 1
    }
    return String(validating: decoded, as: UTF8.self)
  }
}
