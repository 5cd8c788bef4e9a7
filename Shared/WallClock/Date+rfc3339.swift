public import Foundation

extension Date {
  /// Reads an RFC 3339 time with or without fractional seconds; nil for anything else.
  ///
  /// Foundation's parser will not do: it takes 30 February for 2 March, and ignores what follows the zone.
  public init?(rfc3339 text: String) {
    let bytes = Array(text.utf8)
    var index = 0
    // By index: slices that lose their first element stay generic, and this runs for every message.
    func skip(_ isAllowed: (UInt8) -> Bool) -> UInt8? {
      guard index < bytes.count, isAllowed(bytes[index]) else { return nil }
      defer { index += 1 }
      return bytes[index]
    }
    func skip(_ character: Unicode.Scalar) -> UInt8? { skip { $0 == UInt8(ascii: character) } }
    func digit() -> Int? {
      skip { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }.map { Int($0 - UInt8(ascii: "0")) }
    }
    func number(_ digits: Int, _ first: Int, _ last: Int) -> Int? {
      var value: Int = 0
      for _ in 0..<digits {
        guard let digit = digit() else { return nil }
        value = value * 10 + digit
      }
      return value >= first && value <= last ? value : nil
    }
    guard let year = number(4, 1, 9_999), skip("-") != nil, let month = number(2, 1, 12), skip("-") != nil,
      let day = number(2, 1, 31), skip({ $0 | 0x20 == UInt8(ascii: "t") || $0 == UInt8(ascii: " ") }) != nil,
      let hour = number(2, 0, 23), skip(":") != nil, let minute = number(2, 0, 59), skip(":") != nil,
      let second = number(2, 0, 60)  // 60 is a leap second
    else { return nil }
    var fraction = 0.0
    if skip(".") != nil {
      let start = index
      while digit() != nil {}
      guard index > start, let value = Double("0." + String(decoding: bytes[start..<index], as: UTF8.self)) else {
        return nil
      }
      fraction = value
    }
    var offset: Int = 0
    if skip({ $0 | 0x20 == UInt8(ascii: "z") }) == nil {
      guard let sign = skip({ $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }), let hours = number(2, 0, 23),
        skip(":") != nil, let minutes = number(2, 0, 59)
      else { return nil }
      offset = (hours * 60 + minutes) * (sign == UInt8(ascii: "+") ? 60 : -60)
    }
    guard index == bytes.count, let date = LocalDate(year: year, month: month, day: day) else { return nil }
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
      func write(_ value: Int, _ width: Int, _ separator: Unicode.Scalar) {
        var rest = value
        var position = end + width
        text[position] = UInt8(ascii: separator)
        while position > end {
          position -= 1
          text[position] = UInt8(ascii: "0") + UInt8(rest % 10)
          rest /= 10
        }
        end += width + 1
      }
      write(year, 4, "-")
      write(month, 2, "-")
      write(day, 2, "T")
      write(hour, 2, ":")
      write(minute, 2, ":")
      write(second, 2, ".")
      write(millisecond, 3, "Z")
      return end
    }
  }

  /// 0001-01-01T00:00:00.000Z and 9999-12-31T23:59:59.999Z in milliseconds.
  private static let first = -62_135_596_800_000.0
  private static let last = 253_402_300_799_999.0
}
