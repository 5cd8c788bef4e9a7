public import Foundation

/// base64url without padding (RFC 4648, section 5; RFC 7515, section 2). Bytes have one form: bits left over are zeros.
public enum Base64URL {
  /// The bytes, or nil when the text is no base64url.
  public static func decode(_ text: some Sequence<UInt8>) -> Data? { bytes(text).map { Data($0) } }

  /// The same as an array.
  ///
  /// By hand: services decode a token for each request, and Foundation's decoder takes other forms, too, and twice the time.
  public static func bytes(_ text: some Sequence<UInt8>) -> [UInt8]? {
    text.withContiguousStorageIfAvailable { bytes(of: $0) } ?? Array(text).withUnsafeBufferPointer { bytes(of: $0) }
  }

  private static func bytes(of text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    // Bits that are no whole byte yet, and how many.
    var (rest, count, isValid) = (UInt32(0), UInt32(0), true)
    let bytes = values.withUnsafeBufferPointer { values in
      [UInt8](unsafeUninitializedCapacity: text.count * 3 / 4) { bytes, written in
        for character in text {
          let value = UInt32(values[Int(character)])
          guard value < 64 else {
            isValid = false
            return
          }
          rest = rest << 6 | value
          count += 6
          if count >= 8 {
            count -= 8
            bytes[written] = UInt8(truncatingIfNeeded: rest >> count)
            written += 1
            rest &= 1 << count - 1
          }
        }
      }
    }
    return isValid && count < 6 && rest == 0 ? bytes : nil
  }

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// What each character stands for; 64: nothing.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 64, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

  /// By hand: each push has a receipt, and to replace Foundation's characters takes as long as the rest of a push.
  public static func encode(_ bytes: some Sequence<UInt8>) -> String {
    bytes.withContiguousStorageIfAvailable { text(of: $0) } ?? Array(bytes).withUnsafeBufferPointer { text(of: $0) }
  }

  private static func text(of bytes: UnsafeBufferPointer<UInt8>) -> String {
    alphabet.withUnsafeBufferPointer { alphabet in
      String(unsafeUninitializedCapacity: (bytes.count * 4 + 2) / 3) { text in
        // Bits that are no whole character yet, and how many.
        var (rest, count, written) = (UInt32(0), UInt32(0), 0)
        for byte in bytes {
          rest = rest << 8 | UInt32(byte)
          count += 8
          while count >= 6 {
            count -= 6
            text[written] = alphabet[Int(rest >> count & 63)]
            written += 1
          }
          rest &= 1 << count - 1
        }
        if count > 0 {
          text[written] = alphabet[Int(rest << (6 - count) & 63)]
          written += 1
        }
        return written
      }
    }
  }
}
