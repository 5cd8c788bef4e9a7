import WallClock

/// Which days of a month a rule's BYMONTH, BYMONTHDAY and BYDAY admit, as bits: day n is bit n, 1…31.
///
/// For dates alone each of RFC 5545's expansions and limits is the same thing: a property that a day has or has not.
/// So a
/// month is a few operations on words, whatever the frequency, and nothing is expanded into lists.
struct DayPattern {
  private var monthBits: UInt16
  private var dayBits: UInt32 = 0
  /// Bit n is the n-th day from the end.
  private var dayBitsFromEnd: UInt32 = 0
  private let limitsDays: Bool
  private let weekdays: [OrdinalWeekday]
  private let countsInYear: Bool

  /// With what the rule takes from its start; without a start, only what it says itself.
  init(_ rule: RecurrenceRule, start: LocalDate? = nil) {
    var (months, monthDays, weekdays) = (rule.months, rule.monthDays, rule.weekdays)
    if let start, monthDays.isEmpty, weekdays.isEmpty {
      switch rule.frequency {
      case .daily: break
      case .weekly: weekdays = [OrdinalWeekday(ordinal: nil, weekday: start.weekday)]
      case .monthly: monthDays = [start.day]
      case .yearly:
        monthDays = [start.day]
        if months.isEmpty { months = [start.month] }
      }
    }
    monthBits = months.isEmpty ? .max : months.reduce(0) { $0 | 1 << UInt16($1) }
    for day in monthDays {
      if day > 0 { dayBits |= 1 << UInt32(day) } else { dayBitsFromEnd |= 1 << UInt32(-day) }
    }
    limitsDays = !monthDays.isEmpty
    self.weekdays = weekdays
    countsInYear = rule.countsInYear
  }

  func admits(month: Int) -> Bool { monthBits & 1 << UInt16(month) != 0 }

  /// The days of a month of 1…12 whose first has the number `first`.
  func days(year: Int, month: Int, first: Int, length: Int) -> UInt32 {
    guard admits(month: month) else { return 0 }
    let all: UInt32 = (1 << UInt32(length) - 1) << 1
    var days = all
    if limitsDays {
      var admitted = dayBits
      var fromEnd = dayBitsFromEnd
      while fromEnd != 0 {
        let count = fromEnd.trailingZeroBitCount
        if count <= length { admitted |= 1 << UInt32(length + 1 - count) }
        fromEnd &= fromEnd - 1
      }
      days &= admitted
    }
    if !weekdays.isEmpty {
      let bits = weekdays.reduce(0) { $0 | self.bits(of: $1, year: year, first: first, length: length) }
      days &= bits
    }
    return days
  }

  private func bits(of day: OrdinalWeekday, year: Int, first: Int, length: Int) -> UInt32 {
    guard let ordinal = day.ordinal else {
      // Every seventh day from the first such weekday on; what lies beyond the month's end is masked by the caller.
      return 0b1_0000001_0000001_0000001_0000001 << UInt32(1 + Self.distance(to: day.weekday, from: first))
    }
    var (from, count) = (first, length)
    if countsInYear {
      from = LocalDate.dayNumber(year: year, month: 1, day: 1)
      count = LocalDate.isLeap(year: year) ? 366 : 365
    }
    let start = Self.distance(to: day.weekday, from: from)
    // Counted from the end: the weekday comes once each seven days, the last time within the last seven.
    let inPeriod = ordinal > 0 ? start + 7 * (ordinal - 1) : start + (count - 1 - start) / 7 * 7 + 7 * (ordinal + 1)
    guard (0..<count).contains(inPeriod) else { return 0 }
    let inMonth = from + inPeriod - first
    return (0..<length).contains(inMonth) ? 1 << UInt32(inMonth + 1) : 0
  }

  /// Days, 0…6, from a day number to the next such weekday.
  private static func distance(to weekday: Int, from dayNumber: Int) -> Int { floorModulo(weekday - 4 - dayNumber, 7) }

  /// Whether any day is ever admitted: these years are of all 14 kinds (by length and by the first day's weekday), and a pattern
  /// knows no more of a year. Most rules show it in the first.
  var matchesAnyDate: Bool {
    (2_000..<2_028).contains { year in
      (1...12).contains { month in
        let first = LocalDate.dayNumber(year: year, month: month, day: 1)
        return days(year: year, month: month, first: first, length: LocalDate.daysIn(month: month, year: year)) != 0
      }
    }
  }
}
