import WallClock

/// On which of 128 local days, the last of them the latest known, something happened: 24 bytes, and late news still count.
struct DayBitmap: Equatable, Sendable {
  static let span = 128

  /// Bit 0.
  private(set) var newest: LocalDate
  /// Bit n: it happened n days before ``newest``.
  private(set) var bits: UInt128

  init(_ day: LocalDate) {
    newest = day
    bits = 1
  }

  /// Nil unless bit 0 is set.
  init?(newest: LocalDate, bits: UInt128) {
    guard bits & 1 == 1 else { return nil }
    self.newest = newest
    self.bits = bits
  }

  enum Insertion: Equatable {
    case new
    case known
    /// More than 127 days before the newest.
    case tooOld
  }

  mutating func insert(_ day: LocalDate) -> Insertion {
    let age = newest.dayNumber - day.dayNumber
    if age < 0 {
      // Smart shifts: what leaves the 128 days is gone.
      bits = bits << -age | 1
      newest = day
      return .new
    }
    guard age < Self.span else { return .tooOld }
    let bit: UInt128 = 1 << age
    guard bits & bit == 0 else { return .known }
    bits |= bit
    return .new
  }

  /// How many days without a gap there are around a day, itself included; 0 if nothing happened on it.
  func run(around day: LocalDate) -> Int {
    let age = newest.dayNumber - day.dayNumber
    guard (0..<Self.span).contains(age), bits >> age & 1 == 1 else { return 0 }
    let earlier = (~(bits >> age)).trailingZeroBitCount
    let later = (~(bits << (Self.span - 1 - age))).leadingZeroBitCount
    return min(earlier, Self.span - age) + min(later, age + 1) - 1
  }
}
