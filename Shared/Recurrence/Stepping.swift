import WallClock

/// Which periods an INTERVAL takes: each n-th day, week, month or year, counted from the start's.
struct Stepping: Sendable {
  let frequency: Frequency
  let interval: Int
  /// The start's number of days, day number of its week's first day, number of months, or year.
  private let anchor: Int

  init(_ rule: RecurrenceRule, start: LocalDate) {
    frequency = rule.frequency
    interval = rule.interval
    switch rule.frequency {
    case .daily: anchor = start.dayNumber
    case .weekly: anchor = start.dayNumber - floorModulo(start.weekday - rule.weekStart, 7)
    case .monthly: anchor = CalendarMonth.number(of: start)
    case .yearly: anchor = start.year
    }
  }

  /// The first month from `number` on that lies in a period that counts.
  func month(notBefore number: Int) -> Int {
    switch frequency {
    case .daily, .weekly: return number
    case .monthly: return number + floorModulo(anchor - number, interval)
    case .yearly:
      let years = floorModulo(anchor - number / 12, interval)
      return years == 0 ? number : (number / 12 + years) * 12
    }
  }

  /// The days of a month in periods that count, as bits 1…31; of the month that ``month(notBefore:)`` has found.
  func days(of month: CalendarMonth) -> UInt32 {
    guard interval > 1 else { return .max }
    switch frequency {
    case .daily: return days(of: month, from: anchor, step: interval, count: 1)
    case .weekly: return days(of: month, from: anchor, step: 7 * interval, count: 7)
    case .monthly, .yearly: return .max
    }
  }

  /// Runs of `count` days, one each `step` days.
  private func days(of month: CalendarMonth, from anchor: Int, step: Int, count: Int) -> UInt32 {
    // The last run that begins on the month's first day or before it.
    var begin = -floorModulo(month.first - anchor, step)
    var bits: UInt64 = 0
    while begin < month.length {
      let run: UInt64 = (1 << UInt64(count) - 1) << 1
      bits |= begin >= 0 ? run << UInt64(begin) : run >> UInt64(min(-begin, 63))
      begin += step
    }
    return UInt32(truncatingIfNeeded: bits & ~1)
  }
}
