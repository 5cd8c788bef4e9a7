import Testing
import WallClock

@Suite struct LocalDateTests {
  @Test(
    arguments: [
      (0, "1970-01-01", 4), (-1, "1969-12-31", 3), (11_016, "2000-02-29", 2), (-25_509, "1900-02-28", 3),
      (-25_508, "1900-03-01", 4), (20_779, "2026-11-22", 7), (-719_162, "0001-01-01", 1), (2_932_896, "9999-12-31", 5),
    ]
  )
  func `a date is a number of days, a text and a weekday`(_ number: Int, _ text: String, _ weekday: Int) throws {
    let date = LocalDate(dayNumber: number)
    #expect(date.description == text)
    #expect(date.weekday == weekday)
    #expect(try #require(LocalDate(text)).dayNumber == number)
  }

  @Test func `the days of 800 years follow each other as the calendar has them`() throws {
    var (year, month, day) = (1_599, 12, 31)
    let first = try #require(LocalDate(year: year, month: month, day: day))
    for number in 0..<2 * 146_097 {
      let date = LocalDate(dayNumber: first.dayNumber + number)
      let civil = date.civil
      guard civil.year == year, civil.month == month, civil.day == day else {
        Issue.record("\(date) is not \(year)-\(month)-\(day)")
        return
      }
      let isLeap = year % 400 == 0 || year % 4 == 0 && year % 100 != 0
      let length = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
      guard LocalDate(year: year, month: month, day: day) == date, LocalDate.daysIn(month: month, year: year) == length
      else {
        Issue.record("\(date) is not itself")
        return
      }
      (year, month, day) = day < length ? (year, month, day + 1) : month < 12 ? (year, month + 1, 1) : (year + 1, 1, 1)
    }
  }

  @Test(
    arguments: [
      "", "2026-11-2", "2026-11-222", "2026-1-22", "26-11-22", "2026/11/22", "2026-11-31", "2025-02-29", "1900-02-29",
      "2026-00-10", "2026-13-10", "2026-10-00", "0000-01-01", "-001-01-01", "+026-11-22", "2026-11-22 ", " 2026-11-22",
      "2026-11-22T", "20261122", "２０２６-11-22", "2026-11-2é", "99999999999999999999", "2026-11-22\0",
    ]
  )
  func `what is no date in ISO 8601 is refused`(_ text: String) {
    #expect(LocalDate(text) == nil)
  }

  @Test(
    arguments: [
      ("2026-11-22", "2026-11-22", "2026-11-30"), ("2026-11-23", "2026-11-29", "2026-11-30"),
      ("2024-02-01", "2024-02-04", "2024-02-29"), ("2025-12-31", "2026-01-04", "2025-12-31"),
      ("9999-12-31", "9999-12-31", "9999-12-31"),
    ]
  )
  func `a week ends on Sunday and a month on its last day`(_ text: String, _ week: String, _ month: String) throws {
    let date = try #require(LocalDate(text))
    #expect(date.endOfWeek.description == week)
    #expect(date.endOfMonth.description == month)
  }

  @Test func `adding days stops at the ends of the calendar`() {
    #expect(LocalDate.last.adding(days: 1) == .last)
    #expect(LocalDate.first.adding(days: -1) == .first)
    #expect(LocalDate.last.adding(days: .max) == .last)
    #expect(LocalDate.first.adding(days: .min) == .first)
    #expect(LocalDate(dayNumber: .max) == .last)
    #expect(LocalDate(dayNumber: .min) == .first)
    #expect(LocalDate.first.adding(days: 3_652_058) == .last)
  }

  @Test(
    arguments: [
      ("P1D", 1), ("-P7D", -7), ("P0D", 0), ("-P0D", 0), ("P2W", 14), ("-P1W", -7), ("+P3D", 3), ("P3660D", 3_660),
      ("-P3660D", -3_660), ("P0030D", 30),
    ]
  )
  func `an offset is days or weeks`(_ text: String, _ days: Int) throws {
    let offset = try #require(DayOffset(text))
    #expect(offset.days == days)
    #expect(DayOffset(offset.description) == offset)
  }

  @Test(
    arguments: [
      "", "P", "PD", "P1", "1D", "P-1D", "P1M", "P1Y", "PT24H", "P1DT0H", "P1W2D", "P1.5D", "P3661D", "-P3661D",
      "P99999999999D", "P523W", "p1d", "--P1D", "P1D ", " P1D", "P+1D", "P１D", "-P00012D",
    ]
  )
  func `what is no offset in days is refused`(_ text: String) {
    #expect(DayOffset(text) == nil)
  }

  @Test func `reminders lie around what is due`() throws {
    let due = try #require(LocalDate("2028-03-01"))
    let offsets = try ["-P7D", "-P1D", "P0D", "P1W"].map { try #require(DayOffset($0)) }
    #expect(offsets.map { (due + $0).description } == ["2028-02-23", "2028-02-29", "2028-03-01", "2028-03-08"])
  }
}
