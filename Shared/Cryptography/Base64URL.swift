public import Foundation

/// base64url without padding (RFC 4648, section 5; RFC 7515, section 2). Bytes have one form: bits left over are zeros.
public enum Base64URL {
  /// The bytes, or nil when the text is no base64url.
  public static func decode(_ text: some Sequence<UInt8>) -> Data? {
    var standard: [UInt8] = []
    standard.reserveCapacity(text.underestimatedCount + 3)
    for byte in text {
      switch byte {
      case UInt8(ascii: "-"): standard.append(UInt8(ascii: "+"))
      case UInt8(ascii: "_"): standard.append(UInt8(ascii: "/"))
      case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
      default: standard.append(byte)
      }
    }
    while standard.count % 4 != 0 { standard.append(UInt8(ascii: "=")) }
    guard let bytes = Data(base64Encoded: Data(standard)), bytes.base64EncodedData().elementsEqual(standard) else {
      return nil
    }
    return bytes
  }

  public static func encode(_ bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }
}
