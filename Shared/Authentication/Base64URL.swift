package import Foundation

/// base64url without padding (RFC 4648, section 5; RFC 7515, section 2).
package enum Base64URL {
  /// The bytes, or nil when the text is no base64url.
  package static func decode(_ text: Substring.UTF8View) -> Data? {
    var standard: [UInt8] = []
    standard.reserveCapacity(text.count + 3)
    for byte in text {
      switch byte {
      case UInt8(ascii: "-"): standard.append(UInt8(ascii: "+"))
      case UInt8(ascii: "_"): standard.append(UInt8(ascii: "/"))
      case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
      default: standard.append(byte)
      }
    }
    while standard.count % 4 != 0 { standard.append(UInt8(ascii: "=")) }
    return Data(base64Encoded: Data(standard))
  }
}
