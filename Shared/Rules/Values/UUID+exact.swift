import Foundation

extension UUID {
  /// Reads the hyphenated form (RFC 9562) in either case and nothing else; `UUID(uuidString:)` also takes spaces and signs.
  init?(exactly text: String) {
    let bytes = Array(text.utf8.prefix(37))
    guard bytes.count == 36 else { return nil }
    for (index, byte) in bytes.enumerated() {
      let isHyphen = index == 8 || index == 13 || index == 18 || index == 23
      let isHexadecimal = byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 6
      guard isHyphen ? byte == UInt8(ascii: "-") : isHexadecimal else { return nil }
    }
    self.init(uuidString: text)
  }

  var lowercased: String { uuidString.lowercased() }
}
