/// What names and values of header fields may consist of (RFC 9110, section 5).
enum HTTPFieldRules {
  /// Fails on the first that is not allowed, naming the header and never its value.
  static func check(_ fields: [(name: String, value: String)]) throws(TransportError) {
    for (name, value) in fields {
      guard !name.isEmpty, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: ":") }) else {
        throw .invalid("header name")
      }
      guard value.utf8.allSatisfy({ ($0 >= 0x20 && $0 != 0x7f) || $0 == UInt8(ascii: "\t") }) else {
        throw .invalid("header \(name)")
      }
    }
  }
}
