import Foundation
import WallClock

extension RecurrenceRule {
  /// The longest text that is read, in bytes: each month, day and weekday with an ordinal or two needs less.
  static let longestText = 1_000

  /// Reads RFC 5545's RRULE, `FREQ=MONTHLY;BYDAY=-1FR`, with or without `RRULE:` before it, in either case.
  ///
  /// Refused are parts that are not supported, each by its name; values out of range; what the RFC forbids (two of a part,
  /// COUNT with UNTIL, ordinals in daily and weekly rules, BYMONTHDAY in weekly ones); and rules that match no date at all. What
  /// is refused of new rules only, ``plan(from:on:)`` says.
  public init(_ text: String) throws(RecurrenceError) {
    guard text.utf8.count <= Self.longestText else {
      throw RecurrenceError("", "is longer than \(Self.longestText) bytes")
    }
    var parts = try RecurrenceParts(Self.capitals(text))
    guard let frequency = try parts.take("FREQ", Self.frequency) else { throw RecurrenceError("FREQ", "is missing") }
    let count = try parts.take("COUNT") { (value) throws(RecurrenceError) in
      // Up to so many were taken once, and are stored.
      RecurrenceEnd.count(try Self.number(value, "COUNT", 1...Self.mostDates, stored: 1_000_000))
    }
    let until = try parts.take("UNTIL", Self.until)
    if count != nil && until != nil { throw RecurrenceError("UNTIL", "cannot stand together with COUNT") }
    self.init(
      frequency: frequency,
      interval: try parts.take("INTERVAL") { (value) throws(RecurrenceError) in
        try Self.number(value, "INTERVAL", 1...1_000)
      } ?? 1,
      end: count ?? until ?? .never,
      weekStart: try parts.take("WKST", Self.weekStart) ?? 1,
      months: try parts.list("BYMONTH") { decimal($0.utf8).flatMap { (1...12).contains($0) ? $0 : nil } },
      monthDays: try parts.list("BYMONTHDAY") {
        signedNumber($0).flatMap { (1...31).contains(abs($0)) ? $0 : nil }
      },
      weekdays: try parts.list("BYDAY") { OrdinalWeekday(String($0)) }
    )
    try parts.refuseOthers()
    try check()
  }

  private func check() throws(RecurrenceError) {
    if frequency == .weekly && !monthDays.isEmpty {
      throw RecurrenceError("BYMONTHDAY", "cannot stand in a weekly rule")
    }
    let ordinals = weekdays.filter { $0.ordinal != nil }
    if let first = ordinals.first, frequency == .daily || frequency == .weekly {
      throw RecurrenceError("BYDAY", "can have ordinals (\(first)) in monthly and yearly rules only")
    }
    if let beyond = ordinals.first(where: { abs($0.ordinal ?? 0) > 5 }), !countsInYear {
      throw RecurrenceError("BYDAY", "has \(beyond), but no month has more than five of a weekday")
    }
    guard DayPattern(self).matchesAnyDate else {
      let given = [("BYMONTH", months.isEmpty), ("BYMONTHDAY", monthDays.isEmpty), ("BYDAY", weekdays.isEmpty)]
      throw RecurrenceError(given.filter { !$0.1 }.map(\.0).joined(separator: " with "), "matches no date")
    }
  }

  /// ASCII only: to Unicode, a Turkish dotless i is a small I.
  private static func capitals(_ text: String) -> String {
    let small = UInt8(ascii: "a")...UInt8(ascii: "z")
    return String(decoding: text.utf8.map { small.contains($0) ? $0 - 32 : $0 }, as: UTF8.self)
  }

  private static func frequency(_ value: Substring) throws(RecurrenceError) -> Frequency {
    if let frequency = Frequency(rawValue: String(value)) { return frequency }
    let isOther = ["SECONDLY", "MINUTELY", "HOURLY"].contains(value)
    throw RecurrenceError(isOther ? "FREQ=\(value)" : "FREQ", isOther ? "is not supported" : "is not a frequency")
  }

  private static func number(
    _ value: Substring,
    _ part: String,
    _ range: ClosedRange<Int>,
    stored most: Int = 0
  ) throws(RecurrenceError) -> Int {
    guard let number = decimal(value.utf8), (range.lowerBound...max(range.upperBound, most)).contains(number) else {
      throw RecurrenceError(part, "must be \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  private static func weekStart(_ value: Substring) throws(RecurrenceError) -> Int {
    guard let index = OrdinalWeekday.codes.firstIndex(of: String(value)) else {
      throw RecurrenceError("WKST", "must be one of \(OrdinalWeekday.codes.joined(separator: ", "))")
    }
    return index + 1
  }

  /// `20261122`, or `20261122T080000Z`: without the Z it would be in nobody's zone.
  private static func until(_ value: Substring) throws(RecurrenceError) -> RecurrenceEnd {
    let bytes = Array(value.utf8)
    if bytes.count == 8 || bytes.count == 16, let year = decimal(bytes[0..<4]), let month = decimal(bytes[4..<6]),
      let day = decimal(bytes[6..<8]), let date = LocalDate(year: year, month: month, day: day)
    {
      if bytes.count == 8 { return .date(date) }
      if bytes[8] == UInt8(ascii: "T"), bytes[15] == UInt8(ascii: "Z"), let hour = decimal(bytes[9..<11]),
        let minute = decimal(bytes[11..<13]), let second = decimal(bytes[13..<15]),
        let time = LocalTime(hour: hour, minute: minute, second: second)
      {
        return .instant(Zone.utc.instant(of: date, at: time))
      }
    }
    throw RecurrenceError("UNTIL", "must be a date (20261122) or a time in UTC (20261122T080000Z)")
  }
}
