public import Foundation

extension Date {
  /// Reads an RFC 3339 time with or without fractional seconds; nil for anything else.
  ///
  /// Foundation's parser will not do: it takes 30 February for 2 March, and ignores what follows the zone.
  public init?(rfc3339 text: String) {
    var rest = Array(text.utf8)[...]
    func skip(_ allowed: String) -> UInt8? {
      guard let byte = rest.first, allowed.utf8.contains(byte) else { return nil }
      rest.removeFirst()
      return byte
    }
    func number(_ digits: Int, _ range: ClosedRange<Int>) -> Int? {
      var value: Int = 0
      for _ in 0..<digits {
        guard let digit = skip("0123456789") else { return nil }
        value = value * 10 + Int(digit - UInt8(ascii: "0"))
      }
      return range.contains(value) ? value : nil
    }
    guard let year = number(4, 1...9_999), skip("-") != nil, let month = number(2, 1...12), skip("-") != nil,
      let day = number(2, 1...31), skip("Tt ") != nil, let hour = number(2, 0...23), skip(":") != nil,
      let minute = number(2, 0...59), skip(":") != nil, let second = number(2, 0...60)  // 60 is a leap second
    else { return nil }
    var fraction = 0.0
    if skip(".") != nil {
      let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      guard !digits.isEmpty, let value = Double("0." + String(decoding: digits, as: UTF8.self)) else { return nil }
      rest.removeFirst(digits.count)
      fraction = value
    }
    var offset: Int = 0
    if skip("Zz") == nil {
      guard let sign = skip("+-"), let hours = number(2, 0...23), skip(":") != nil, let minutes = number(2, 0...59)
      else { return nil }
      offset = (hours * 60 + minutes) * (sign == UInt8(ascii: "+") ? 60 : -60)
    }
    guard rest.isEmpty, let date = LocalDate(year: year, month: month, day: day) else { return nil }
    let seconds = date.dayNumber * 86_400 + hour * 3_600 + minute * 60 + second - offset
    self.init(timeIntervalSince1970: Double(seconds) + fraction)
  }

  /// RFC 3339 in UTC to the nearest millisecond, e.g. `2026-01-31T08:00:00.000Z`. Read back and written again it is the
  /// same text: a double holds most fractions a little too low, so cutting off would lose a millisecond at each hop.
  ///
  /// A time before year 1 or after year 9999, which the format cannot express, becomes the first or the last that it can.
  ///
  /// Written by hand: it runs once per notification, and a formatter takes fifty times as long.
  public var rfc3339: String {
    let total = Int(Swift.min(Swift.max(timeIntervalSince1970 * 1_000, Self.first), Self.last).rounded())
    let inDay = floorModulo(total, 86_400_000)
    let (year, month, day) = LocalDate(dayNumber: floorDivide(total, 86_400_000)).civil
    let (hour, minute) = (inDay / 3_600_000, inDay / 60_000 % 60)
    let (second, millisecond) = (inDay / 1_000 % 60, inDay % 1_000)
    return String(unsafeUninitializedCapacity: 24) { text in
      var end = 0
      for (value, width, separator) in [
        (year, 4, "-"), (month, 2, "-"), (day, 2, "T"), (hour, 2, ":"), (minute, 2, ":"), (second, 2, "."),
        (millisecond, 3, "Z"),
      ] as [(Int, Int, Unicode.Scalar)] {
        var rest = value
        for position in (end..<end + width).reversed() {
          text[position] = UInt8(ascii: "0") + UInt8(rest % 10)
          rest /= 10
        }
        text[end + width] = UInt8(ascii: separator)
        end += width + 1
      }
      return end
    }
  }

  /// 0001-01-01T00:00:00.000Z and 9999-12-31T23:59:59.999Z in milliseconds.
  private static let first = -62_135_596_800_000.0
  private static let last = 253_402_300_799_999.0
}
