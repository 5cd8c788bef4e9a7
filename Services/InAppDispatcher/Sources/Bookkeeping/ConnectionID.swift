/// The name of a connection: 128 random bits, written as base64url as the original hub does. Nobody guesses another's.
struct ConnectionID: Hashable, Sendable {
  private let high: UInt64
  private let low: UInt64

  private init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  static func random() -> ConnectionID {
    var generator = SystemRandomNumberGenerator()
    return ConnectionID(high: generator.next(), low: generator.next())
  }

  /// Reads the 22 characters of ``description``; nil for anything else.
  init?(_ text: String) {
    guard text.utf8.count == 22 else { return nil }
    var (high, low) = (UInt64(0), UInt64(0))
    for (position, character) in text.utf8.enumerated() {
      guard let digit = Self.digit(character) else { return nil }
      // The last character holds two bits only.
      let width = position == 21 ? 2 : 6
      guard position < 21 || digit & 0xF == 0 else { return nil }
      high = high << UInt64(width) | low >> UInt64(64 - width)
      low = low << UInt64(width) | UInt64(position == 21 ? digit >> 4 : digit)
    }
    self.init(high: high, low: low)
  }

  private static func digit(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
}

extension ConnectionID: CustomStringConvertible {
  var description: String {
    var (high, low) = (high, low)
    return String(unsafeUninitializedCapacity: 22) { text in
      for position in 0..<22 {
        text[position] = Self.alphabet[Int(high >> 58)]
        high = high << 6 | low >> 58
        low <<= 6
      }
      return 22
    }
  }
}
