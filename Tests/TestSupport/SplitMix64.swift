/// A generator that gives the same numbers in every run. Source: Steele, Lea and Flood, OOPSLA 2014.
public struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  public init(seed: UInt64) {
    state = seed
  }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  public mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  public mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
  }

  /// The same bytes but for one to four flipped bits, lost, doubled or foreign pieces.
  public mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0...below(4) {
      guard !bytes.isEmpty else { break }
      let place = below(bytes.count)
      switch below(6) {
      case 0, 1: bytes[place] ^= 1 << UInt8(below(8))
      case 2: bytes.removeSubrange(place...)
      case 3: bytes.insert(contentsOf: self.bytes(1 + below(4)), at: place)
      case 4: bytes.remove(at: place)
      default: bytes.insert(contentsOf: bytes[place...].prefix(8), at: place)
      }
    }
    return bytes
  }
}
