import WallClock

/// Goes through the months of a recurrence that have a date of it.
struct MonthSearch: Sendable {
  private let pattern: DayPattern
  private let stepping: Stepping
  /// Days before it are left out.
  private let from: LocalDate
  private let lastMonth: Int
  private var month: Int
  /// The first month that need not be looked at, if none before it had a date.
  private var hopeless: Int

  /// The Gregorian calendar repeats itself after 400 years of whole weeks, and with an interval of n at the latest
  /// after
  /// n times that: who finds nothing until then never will.
  private var cycle: Int { 400 * 12 * stepping.interval }

  init(_ pattern: DayPattern, _ stepping: Stepping, from: LocalDate, to last: LocalDate) {
    self.pattern = pattern
    self.stepping = stepping
    self.from = from
    month = CalendarMonth.number(of: from)
    lastMonth = CalendarMonth.number(of: last)
    hopeless = 0
    hopeless = month + cycle + 1
  }

  /// The next month with at least one date, and its dates as bits 1…31. It may have dates after the last that is
  /// wanted.
  mutating func next() -> (CalendarMonth, UInt32)? {
    while true {
      month = stepping.month(notBefore: month)
      guard month <= min(lastMonth, hopeless) else { return nil }
      if pattern.admits(month: month % 12 + 1) {
        let current = CalendarMonth(number: month)
        var days = pattern.days(year: current.year, month: current.month, first: current.first, length: current.length)
        if days != 0 { days &= stepping.days(of: current) }
        if from.dayNumber > current.first { days &= Self.days(from: from.dayNumber - current.first + 1) }
        if days != 0 {
          month += 1
          hopeless = month + cycle
          return (current, days)
        }
      }
      month += 1
    }
  }

  /// The bits of a day and those after it.
  private static func days(from day: Int) -> UInt32 { day < 32 ? .max << UInt32(day) : 0 }
}
