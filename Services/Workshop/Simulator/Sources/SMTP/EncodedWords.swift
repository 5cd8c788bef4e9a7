import Foundation

/// Decodes the encoded words of a header's value (RFC 2047), in UTF-8 and its subsets.
enum EncodedWords {
  /// Words in other character sets, or malformed ones, stay as they are.
  static func decode(_ value: String) -> String {
    let joined = value.replacing(/\?=\s+=\?/, with: "?==?")
    return joined.replacing(/=\?([^?\s]+)\?([bBqQ])\?([^?\s]*)\?=/) { match in
      guard ["utf-8", "us-ascii"].contains(match.1.lowercased()) else { return String(match.0) }
      let bytes = match.2.lowercased() == "b" ? base64(match.3) : quoted(match.3)
      return bytes.map { String(decoding: $0, as: UTF8.self) } ?? String(match.0)
    }
  }

  private static func base64(_ text: Substring) -> [UInt8]? {
    Data(base64Encoded: String(text)).map { [UInt8]($0) }
  }

  private static func quoted(_ text: Substring) -> [UInt8]? {
    var decoded: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "_"): decoded.append(0x20)
      case UInt8(ascii: "="):
        guard rest.count >= 2, let value = UInt8(Substring(rest.prefix(2)), radix: 16) else { return nil }
        decoded.append(value)
        rest = rest.dropFirst(2)
      default: decoded.append(byte)
      }
    }
    return decoded
  }
}
