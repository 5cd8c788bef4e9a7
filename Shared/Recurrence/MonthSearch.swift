import WallClock

/// Goes through the months of a recurrence that have a date of it.
struct MonthSearch: Sendable {
  enum Found {
    /// The next month with at least one date, and its dates as bits 1…31. It may have dates after the last that is wanted.
    case found(CalendarMonth, days: UInt32)
    case ended
    case limited
  }

  private let pattern: DayPattern
  private let stepping: Stepping
  /// Days before it are left out.
  private var from: LocalDate
  private let lastMonth: Int
  private var month: Int
  /// The first month that need not be looked at, if none before it had a date.
  private var hopeless: Int
  /// What the pattern admits in each month of each kind of year; ``unknown`` until it was asked.
  private var known = [UInt32](repeating: Self.unknown, count: 14 * 12)

  /// No month has a day 0.
  private static let unknown: UInt32 = 1

  /// The Gregorian calendar repeats itself after 400 years of whole weeks, and with an interval of n at the latest after n times
  /// that: a search that finds nothing until then never will.
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

  /// The last day before the months that have not been looked at.
  var examined: LocalDate { CalendarMonth(number: month).date(day: 0) }

  /// Leaves out what is before `date`, which is of a month that was not found yet.
  mutating func skip(to date: LocalDate) {
    from = max(from, date)
    month = max(month, CalendarMonth.number(of: date))
    hopeless = max(hopeless, month + cycle + 1)
  }

  /// - Parameter limit: Days that may be examined; what is examined is taken off. A month costs its days, or one if the rule does
  ///   not have it.
  mutating func next(limit: inout Int) -> Found {
    while true {
      month = stepping.month(notBefore: month)
      guard month <= min(lastMonth, hopeless) else { return .ended }
      guard limit >= 31 else { return .limited }
      if pattern.admits(month: month % 12 + 1) {
        let current = CalendarMonth(number: month)
        limit -= current.length
        var days = days(of: current)
        if days != 0 { days &= stepping.days(of: current) }
        if from.dayNumber > current.first { days &= Self.days(from: from.dayNumber - current.first + 1) }
        if days != 0 {
          month += 1
          hopeless = month + cycle
          return .found(current, days: days)
        }
      } else {
        limit -= 1
      }
      month += 1
    }
  }

  /// A month depends on its length and on the weekday of its first day alone, so what many years ask for is worked out once.
  private mutating func days(of month: CalendarMonth) -> UInt32 {
    let kind = floorModulo(month.first, 7) * 2 + (LocalDate.isLeap(year: month.year) ? 1 : 0)
    let index = kind * 12 + month.month - 1
    if known[index] == Self.unknown {
      known[index] = pattern.days(year: month.year, month: month.month, first: month.first, length: month.length)
    }
    return known[index]
  }

  /// The bits of a day and those after it.
  private static func days(from day: Int) -> UInt32 { day < 32 ? .max << UInt32(day) : 0 }
}
