/// A day of the proleptic Gregorian calendar without a zone, 0001-01-01 to 9999-12-31: what a calendar on a wall shows.
///
/// Integer arithmetic throughout; `Calendar` takes microseconds and changes to the Julian calendar in 1582.
public struct LocalDate: Hashable, Comparable, Sendable {
  /// Days since 1970-01-01.
  public var dayNumber: Int { Int(storage) }

  private let storage: Int32

  public static let first = LocalDate(storage: -719_162)
  public static let last = LocalDate(storage: 2_932_896)

  private init(storage: Int32) {
    self.storage = storage
  }

  /// The date that many days after 1970-01-01; what lies outside the calendar's range becomes its first or last date.
  public init(dayNumber: Int) {
    let inRange = Swift.min(Swift.max(dayNumber, Self.first.dayNumber), Self.last.dayNumber)
    storage = Int32(inRange)
  }

  /// Nil for a day that does not exist, and for a year outside 1…9999.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9_999).contains(year), (1...12).contains(month), day >= 1,
      day <= Self.daysIn(month: month, year: year)
    else { return nil }
    self.init(dayNumber: Self.dayNumber(year: year, month: month, day: day))
  }

  public var year: Int { civil.year }
  public var month: Int { civil.month }
  public var day: Int { civil.day }

  /// Monday is 1, Sunday is 7 (ISO 8601).
  public var weekday: Int { floorModulo(dayNumber + 3, 7) + 1 }

  /// The date that many days later, or earlier if negative; it stops at the calendar's first and last date.
  public func adding(days: Int) -> LocalDate {
    let (sum, overflow) = dayNumber.addingReportingOverflow(days)
    return LocalDate(dayNumber: overflow ? (days > 0 ? .max : .min) : sum)
  }

  /// The Sunday of the date's week, which begins on Monday.
  public var endOfWeek: LocalDate { adding(days: 7 - weekday) }

  /// The last day of the date's month.
  public var endOfMonth: LocalDate {
    let civil = civil
    return adding(days: Self.daysIn(month: civil.month, year: civil.year) - civil.day)
  }

  public static func < (left: LocalDate, right: LocalDate) -> Bool { left.storage < right.storage }
}
