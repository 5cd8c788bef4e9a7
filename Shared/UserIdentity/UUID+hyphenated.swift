public import Foundation

extension UUID {
  /// Reads the hyphenated form (RFC 9562) in either case; several times faster than `UUID(uuidString:)`, which goes
  /// through `sscanf`. It runs for every recipient of every message.
  public init?(hyphenated text: String) {
    var text = text
    let parsed = text.withUTF8 { characters -> uuid_t? in
      guard characters.count == 36 else { return nil }
      var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
      let isValid = withUnsafeMutableBytes(of: &uuid) { bytes in
        var position = 0
        var isHexadecimal = true
        for index in 0..<16 {
          if index == 4 || index == 6 || index == 8 || index == 10 {
            guard characters[position] == UInt8(ascii: "-") else { return false }
            position += 1
          }
          let (high, low) = (Self.hexValue(characters[position]), Self.hexValue(characters[position + 1]))
          isHexadecimal = isHexadecimal && high.isDigit && low.isDigit
          bytes[index] = high.value << 4 | low.value
          position += 2
        }
        return isHexadecimal
      }
      return isValid ? uuid : nil
    }
    guard let parsed else { return nil }
    self.init(uuid: parsed)
  }

  /// Without a branch on the character: whether a random digit is a letter cannot be predicted.
  private static func hexValue(_ character: UInt8) -> (value: UInt8, isDigit: Bool) {
    let isNumber = character &- UInt8(ascii: "0") < 10
    let isLetter = (character | 0x20) &- UInt8(ascii: "a") < 6
    // Letters of either case have the bit 0x40, and end in 1 to 6.
    return (character & 0x0F &+ (character >> 6) &* 9, isNumber || isLetter)
  }
}
