public import Foundation

extension Date {
  /// Reads an RFC 3339 time with or without fractional seconds.
  public init?(rfc3339 text: String) {
    if let date = try? Date(
      text,
      strategy: .iso8601.year().month().day().time(includingFractionalSeconds: true).timeZone(separator: .colon)
    ) {
      self = date
    } else if let date = try? Date(text, strategy: .iso8601) {
      self = date
    } else {
      return nil
    }
  }

  /// RFC 3339 in UTC with milliseconds, e.g. `2026-01-31T08:00:00.000Z`.
  ///
  /// Written by hand: it runs once per notification, and a formatter takes fifty times as long.
  public var rfc3339: String {
    let total = Int64((timeIntervalSince1970 * 1_000).rounded(.down))
    let (days, inDay) = (floorDivide(total, 86_400_000), floorModulo(total, 86_400_000))
    let (year, month, day) = Self.civil(fromDays: days)
    func pad(_ value: Int64, _ width: Int) -> String {
      let digits = String(value)
      return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
    }
    let (hour, minute) = (inDay / 3_600_000, inDay / 60_000 % 60)
    let (second, millisecond) = (inDay / 1_000 % 60, inDay % 1_000)
    return "\(pad(year, 4))-\(pad(month, 2))-\(pad(day, 2))T\(pad(hour, 2)):\(pad(minute, 2)):\(pad(second, 2))"
      + ".\(pad(millisecond, 3))Z"
  }

  /// Proleptic Gregorian date of a number of days since 1970-01-01 (Howard Hinnant, "chrono-compatible low-level date
  /// algorithms").
  private static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    )
  }
}

private func floorDivide(_ a: Int64, _ b: Int64) -> Int64 { (a >= 0 ? a : a - b + 1) / b }
private func floorModulo(_ a: Int64, _ b: Int64) -> Int64 { a - floorDivide(a, b) * b }
