/// A decimal number as people write it: exact to 18 decimals, below 10^15 in size, and no operation on it traps.
///
/// Money and percentages are compared with thresholds, so nothing may be off by a binary fraction. Foundation's `Decimal`
/// is exact too, but reads `12abc` as 12 and becomes NaN without a word; this one says no.
public struct ExactNumber: Hashable, Comparable, Sendable {
  /// In steps of 10^-18; at most ``maximumUnits`` in size.
  private let units: Int128

  private static let decimals = 18
  private static let one: Int128 = 1_000_000_000_000_000_000
  private static let maximumUnits: Int128 = one * 1_000_000_000_000_000
  /// Text that is longer is no number of anybody's.
  private static let maximumLength = 64

  private init?(units: Int128) {
    guard units.magnitude < Self.maximumUnits.magnitude else { return nil }
    self.units = units
  }

  /// Nil from 10^15 on.
  public init?(_ whole: Int) {
    // Below 10^37: no `Int` times 10^18 overflows.
    self.init(units: Int128(whole) * Self.one)
  }

  /// The whole number it is; nil if it has decimals.
  public var whole: Int? { units % Self.one == 0 ? Int(units / Self.one) : nil }

  public static func < (left: ExactNumber, right: ExactNumber) -> Bool { left.units < right.units }

  /// Nil where the difference is too large.
  public func minus(_ other: ExactNumber) -> ExactNumber? { ExactNumber(units: units - other.units) }

  /// How many percent of `total` this is, to two decimals, rounded down: so it is at least 75 exactly if the true value
  /// is. Nil if the total is not above zero, or the result is too large.
  public func percent(of total: ExactNumber) -> ExactNumber? {
    guard total.units > 0 else { return nil }
    // Below 10^37, and Int128 ends at 1.7 * 10^38.
    let (quotient, remainder) = (units * 10_000).quotientAndRemainder(dividingBy: total.units)
    let hundredths = remainder < 0 ? quotient - 1 : quotient
    let (units, overflow) = hundredths.multipliedReportingOverflow(by: Self.one / 100)
    return overflow ? nil : ExactNumber(units: units)
  }
}

extension ExactNumber: LosslessStringConvertible {
  /// Reads a number in JSON's grammar (RFC 8259), e.g. `12.50` or `1e3`; nil for anything else, for more than 64
  /// characters, and from 10^15 on. What is beyond 18 decimals is rounded down.
  public init?(_ text: String) {
    var rest = Array(text.utf8.prefix(Self.maximumLength + 1))[...]
    guard rest.count <= Self.maximumLength else { return nil }
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest.removeFirst() }
    let whole = rest.prefix(while: Self.isDigit)
    guard !whole.isEmpty, whole.count == 1 || whole.first != UInt8(ascii: "0") else { return nil }
    rest = rest.dropFirst(whole.count)
    var fraction: ArraySlice<UInt8> = []
    if rest.first == UInt8(ascii: ".") {
      fraction = rest.dropFirst().prefix(while: Self.isDigit)
      guard !fraction.isEmpty else { return nil }
      rest = rest.dropFirst(1 + fraction.count)
    }
    guard let exponent = Self.exponent(rest) else { return nil }
    var digits = Array((whole + fraction).drop { $0 == UInt8(ascii: "0") })
    var shift = Self.decimals - fraction.count + exponent
    while digits.last == UInt8(ascii: "0") {
      digits.removeLast()
      shift += 1
    }
    // 10^33 steps are 10^15.
    guard digits.isEmpty || digits.count + shift <= 33 else { return nil }
    let isCut = !digits.isEmpty && shift < 0
    var units: Int128 = 0
    for digit in digits.prefix(max(0, digits.count + min(shift, 0))) {
      units = units * 10 + Int128(digit - UInt8(ascii: "0"))
    }
    if units > 0 { for _ in 0..<max(shift, 0) { units *= 10 } }
    self.init(units: isNegative ? -units - (isCut ? 1 : 0) : units)
  }

  /// Without needless zeros: `12.5`.
  public var description: String {
    let (whole, fraction) = units.magnitude.quotientAndRemainder(dividingBy: Self.one.magnitude)
    var text = "\(units < 0 ? "-" : "")\(whole)"
    guard fraction > 0 else { return text }
    let digits = String(fraction)
    text += "." + String(repeating: "0", count: Self.decimals - digits.count) + digits
    while text.last == "0" { text.removeLast() }
    return text
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  /// 0 for no text; nil for what is no exponent. Stops counting at 10^6, far beyond any number in range.
  private static func exponent(_ text: ArraySlice<UInt8>) -> Int? {
    guard let mark = text.first else { return 0 }
    guard mark | 0x20 == UInt8(ascii: "e") else { return nil }
    var digits = text.dropFirst()
    let isNegative = digits.first == UInt8(ascii: "-")
    if isNegative || digits.first == UInt8(ascii: "+") { digits.removeFirst() }
    guard !digits.isEmpty, digits.allSatisfy(isDigit) else { return nil }
    let size = digits.reduce(0) { min($0 * 10 + Int($1 - UInt8(ascii: "0")), 1_000_000) }
    return isNegative ? -size : size
  }
}
