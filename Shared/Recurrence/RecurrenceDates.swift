public import WallClock

/// The dates of a recurrence that starts somewhere, in order, computed as they are asked for.
///
/// Months are looked at one by one, each some ten nanoseconds, from the wanted date on: never from the start, but for a
/// COUNT, which is counted once, when this is made (at most the calendar's 120,000 months, a few milliseconds).
public struct RecurrenceDates: Sequence, Sendable {
  private let pattern: DayPattern
  private let stepping: Stepping
  private let start: LocalDate
  private let last: LocalDate

  init(_ rule: RecurrenceRule, start: LocalDate, last: LocalDate?) {
    pattern = DayPattern(rule, start: start)
    stepping = Stepping(rule, start: start)
    self.start = start
    if case .count(let count) = rule.end {
      self.last = Self.date(number: count, pattern, stepping, from: start)
    } else {
      self.last = last ?? .last
    }
  }

  /// The first date after `date`; nil if there is none until the end, or the end of the year 9999.
  public func first(after date: LocalDate) -> LocalDate? {
    date < .last ? first(notBefore: date.adding(days: 1)) : nil
  }

  /// The first date that is `date` or later.
  public func first(notBefore date: LocalDate) -> LocalDate? {
    var search = MonthSearch(pattern, stepping, from: Swift.max(date, start), to: last)
    guard let (month, days) = search.next() else { return nil }
    let found = month.date(day: days.trailingZeroBitCount)
    return found <= last ? found : nil
  }

  public func contains(_ date: LocalDate) -> Bool { first(notBefore: date) == date }

  public func makeIterator() -> Iterator {
    Iterator(search: MonthSearch(pattern, stepping, from: start, to: last), last: last)
  }

  public struct Iterator: IteratorProtocol, Sendable {
    fileprivate var search: MonthSearch
    fileprivate let last: LocalDate
    fileprivate var month: CalendarMonth?
    fileprivate var days: UInt32 = 0

    fileprivate init(search: MonthSearch, last: LocalDate) {
      self.search = search
      self.last = last
    }

    public mutating func next() -> LocalDate? {
      if days == 0 {
        guard let found = search.next() else { return nil }
        (month, days) = found
      }
      guard let date = month?.date(day: days.trailingZeroBitCount), date <= last else { return nil }
      days &= days - 1
      return date
    }
  }

  /// The date of that number from the start on, or the calendar's last if there are fewer.
  private static func date(
    number: Int,
    _ pattern: DayPattern,
    _ stepping: Stepping,
    from start: LocalDate
  ) -> LocalDate {
    var search = MonthSearch(pattern, stepping, from: start, to: .last)
    var missing = number
    while let (month, found) = search.next() {
      var days = found
      if missing <= days.nonzeroBitCount {
        while missing > 1 {
          days &= days - 1
          missing -= 1
        }
        return month.date(day: days.trailingZeroBitCount)
      }
      missing -= days.nonzeroBitCount
    }
    return .last
  }
}
