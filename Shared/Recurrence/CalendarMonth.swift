import WallClock

/// A month of a year, with what the search asks of it.
struct CalendarMonth: Sendable {
  let year: Int
  let month: Int
  /// Day number of its first day.
  let first: Int
  /// Days.
  let length: Int

  /// `number` is months since January of year 0.
  init(number: Int) {
    year = number / 12
    month = number % 12 + 1
    first = LocalDate.dayNumber(year: year, month: month, day: 1)
    length = LocalDate.daysIn(month: month, year: year)
  }

  func date(day: Int) -> LocalDate { LocalDate(dayNumber: first + day - 1) }

  static func number(of date: LocalDate) -> Int {
    let (year, month, _) = date.civil
    return year * 12 + month - 1
  }
}
