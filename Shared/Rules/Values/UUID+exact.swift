import Foundation

extension UUID {
  /// Reads the hyphenated form (RFC 9562) in either case and nothing else; `UUID(uuidString:)` also takes spaces and signs.
  init?(exactly text: String) {
    let characters = Array(text.utf8.prefix(37))
    guard characters.count == 36 else { return nil }
    var bytes: [UInt8] = []
    var position = 0
    while position < 36 {
      if [8, 13, 18, 23].contains(position) {
        guard characters[position] == UInt8(ascii: "-") else { return nil }
        position += 1
      }
      guard let high = Self.digit(characters[position]), let low = Self.digit(characters[position + 1]) else {
        return nil
      }
      bytes.append(high << 4 | low)
      position += 2
    }
    self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  private static func digit(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  var lowercased: String { uuidString.lowercased() }
}
