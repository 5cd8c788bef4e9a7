import Foundation

/// Times as the server writes them: RFC 3339 in UTC, `2026-11-21T05:44:10.255Z`.
///
/// By hand: each notification has up to six, and Foundation's formatters take fifty times as long.
enum WireDate {
  /// Nil for anything but RFC 3339 with or without a fraction.
  static func parse(_ text: String) -> Date? {
    var text = text
    return text.withUTF8 { parse($0) }
  }

  private static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Date? {
    func number(_ start: Int, _ count: Int, _ range: ClosedRange<Int>) -> Int? {
      var value = 0
      for index in start..<(start + count) {
        guard (0x30...0x39).contains(bytes[index]) else { return nil }
        value = value * 10 + Int(bytes[index] - 0x30)
      }
      return range.contains(value) ? value : nil
    }
    guard (20...40).contains(bytes.count), bytes[4] == 0x2D, bytes[7] == 0x2D, bytes[10] | 0x20 == 0x74,
      bytes[13] == 0x3A,
      bytes[16] == 0x3A, let year = number(0, 4, 1...9_999), let month = number(5, 2, 1...12),
      let day = number(8, 2, 1...31), let hour = number(11, 2, 0...23), let minute = number(14, 2, 0...59),
      let second = number(17, 2, 0...60)
    else { return nil }
    var index = 19
    var fraction = 0.0
    if bytes[index] == 0x2E {
      var scale = 0.1
      index += 1
      while index < bytes.count, (0x30...0x39).contains(bytes[index]) {
        fraction += Double(bytes[index] - 0x30) * scale
        scale /= 10
        index += 1
      }
    }
    var offset = 0
    if index == bytes.count - 6, bytes[index] == 0x2B || bytes[index] == 0x2D, bytes[index + 3] == 0x3A,
      let hours = number(index + 1, 2, 0...23), let minutes = number(index + 4, 2, 0...59)
    {
      offset = (hours * 60 + minutes) * (bytes[index] == 0x2B ? 60 : -60)
    } else if index != bytes.count - 1 || bytes[index] | 0x20 != 0x7A {
      return nil
    }
    let seconds = days(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second - offset
    return Date(timeIntervalSince1970: Double(seconds) + (fraction * 1_000_000).rounded() / 1_000_000)
  }

  /// In UTC to the millisecond, nearest.
  static func text(_ date: Date) -> String {
    let milliseconds = Int64((min(max(date.timeIntervalSince1970, 0), 253_402_300_799) * 1000).rounded())
    let seconds = milliseconds / 1000
    let (year, month, day) = civil(Int(seconds / 86_400))
    func padded(_ value: Int, _ width: Int) -> String {
      let digits = String(value)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let time = Int(seconds % 86_400)
    return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2) + "T" + padded(time / 3_600, 2) + ":"
      + padded(time / 60 % 60, 2) + ":" + padded(time % 60, 2) + "." + padded(Int(milliseconds % 1000), 3) + "Z"
  }

  // Years begin in March, so that the leap day is the last one.

  /// Days since 1970.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month > 2 ? year : year - 1
    let month = (month + 9) % 12
    return year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day - 1 - 719_468
  }

  private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let days = days + 719_468
    let era = days / 146_097
    let dayOfEra = days % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let isNextYear = month >= 10
    return (
      era * 400 + yearOfEra + (isNextYear ? 1 : 0), isNextYear ? month - 9 : month + 3,
      dayOfYear - (month * 153 + 2) / 5 + 1
    )
  }
}
