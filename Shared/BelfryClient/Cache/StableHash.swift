/// FNV-1a: short, and the same in each process. Against nobody who looks for a second text with the same hash.
struct StableHash: Sendable, Hashable, Codable {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// Adds a text, apart from those before and after it.
  mutating func combine(_ text: String) {
    for byte in text.utf8 { add(byte) }
    // Not a byte of UTF-8.
    add(0xFF)
  }

  /// Adds a text or its absence.
  mutating func combine(_ text: String?) {
    if let text { combine(text) } else { add(0xFE) }
  }

  private mutating func add(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
  }

  init() {}

  init(from decoder: any Decoder) throws {
    value = try decoder.singleValueContainer().decode(UInt64.self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}
