/// When clocks change in every year: the `date[/time]` of a POSIX TZ string.
///
/// POSIX.1-2024, Base Definitions 8.3, "TZ". Since that edition, and in TZif since version 3 (RFC 9636 3.3.1), the time
/// is one of -167…167 hours: `M3.4.4/50` is 02:00 on the Saturday after the fourth Thursday in March, and
/// `<-02>2<-01>,M3.5.0/-1` an hour before Sunday.
package struct PosixRule: Hashable, Sendable {
  enum Day: Hashable, Sendable {
    /// `J60`: a day of 1…365 which is the same date in every year, as 29 February is never counted.
    case dayWithoutLeapDay(Int)
    /// `59`: a day of 0…365, 29 February counted. Day 365 of a year without one is 1 January of the next.
    case day(Int)
    /// `M10.5.0`: month; week 1…5, where 5 is the last; weekday from 0, Sunday.
    case weekday(month: Int, week: Int, weekday: Int)
  }

  let day: Day
  /// Seconds after that day's midnight by the clocks before the change.
  let time: Int

  /// 02:00, when a rule names none.
  static let standardTime = 7_200
  /// The hours of ``time``.
  static let hours = 0...167

  init(day: Day, time: Int) {
    self.day = day
    self.time = time
  }

  /// The local time of the change in a year, in seconds as if it were UTC.
  func local(year: Int) -> Int { dayNumber(year: year) * 86_400 + time }

  private func dayNumber(year: Int) -> Int {
    switch day {
    case .dayWithoutLeapDay(let number):
      let isAfterLeapDay = number >= 60 && LocalDate.isLeap(year: year)
      return LocalDate.dayNumber(year: year, month: 1, day: 1) + number - (isAfterLeapDay ? 0 : 1)
    case .day(let number):
      return LocalDate.dayNumber(year: year, month: 1, day: 1) + number
    case .weekday(let month, let week, let weekday):
      let first = LocalDate.dayNumber(year: year, month: month, day: 1)
      // 1970-01-01 was a Thursday, 4.
      let day = floorModulo(weekday - (first + 4), 7) + (week - 1) * 7
      return first + (day < LocalDate.daysIn(month: month, year: year) ? day : day - 7)
    }
  }
}
