/// The path and query of a request line. It may hold a token, so it is never logged.
struct RequestTarget {
  let path: Substring
  private let query: Substring

  init(_ uri: String) {
    let parts = uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = parts.first ?? ""
    query = parts.count > 1 ? parts[1].prefix { $0 != "#" } : ""
  }

  /// The first value of a parameter, percent-decoded; nil when it is absent or its encoding is broken.
  func parameter(_ name: String) -> String? {
    for pair in query.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts[0] == name else { continue }
      return parts.count > 1 ? Self.decoded(parts[1]) : ""
    }
    return nil
  }

  private static func decoded(_ text: Substring) -> String? {
    guard text.contains(where: { $0 == "%" || $0 == "+" }) else { return String(text) }
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"):
        bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst(), let low = rest.popFirst(),
          let high = Character(Unicode.Scalar(high)).hexDigitValue,
          let low = Character(Unicode.Scalar(low)).hexDigitValue
        else { return nil }
        bytes.append(UInt8(high << 4 | low))
      default:
        bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
