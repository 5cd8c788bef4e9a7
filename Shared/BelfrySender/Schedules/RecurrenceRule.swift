/// On which days something comes again (RFC 5545, RRULE).
public struct RecurrenceRule: Sendable, Hashable, CustomStringConvertible {
  /// A day of the week, as `BYDAY` has it.
  public enum Weekday: String, Sendable, CaseIterable {
    case monday = "MO"
    case tuesday = "TU"
    case wednesday = "WE"
    case thursday = "TH"
    case friday = "FR"
    case saturday = "SA"
    case sunday = "SU"
  }

  /// `FREQ=WEEKLY;BYDAY=MO`
  public let description: String

  /// A rule of `FREQ` `DAILY`, `WEEKLY`, `MONTHLY` or `YEARLY`, in at most 1,000 characters; the gateway reads it.
  public init(_ text: String) { description = text }

  public static func daily(every days: Int = 1) -> Self { Self(["FREQ=DAILY"], every: days) }

  /// - Parameter days: The start's day of the week, unless given.
  public static func weekly(on days: Set<Weekday> = [], every weeks: Int = 1) -> Self {
    let names = Weekday.allCases.filter(days.contains).map(\.rawValue).joined(separator: ",")
    return Self(["FREQ=WEEKLY"] + (days.isEmpty ? [] : ["BYDAY=\(names)"]), every: weeks)
  }

  /// - Parameter day: 1 to 31; -1 is the last of the month. A month without the day has no occurrence.
  public static func monthly(on day: Int, every months: Int = 1) -> Self {
    Self(["FREQ=MONTHLY", "BYMONTHDAY=\(day)"], every: months)
  }

  public static func yearly(month: Int, day: Int) -> Self {
    Self(["FREQ=YEARLY", "BYMONTH=\(month)", "BYMONTHDAY=\(day)"], every: 1)
  }

  /// The same with an end after so many occurrences, at most 10,000.
  public func ending(after occurrences: Int) -> Self { Self("\(description);COUNT=\(occurrences)") }

  private init(_ parts: [String], every interval: Int) {
    self.init((parts + (interval == 1 ? [] : ["INTERVAL=\(interval)"])).joined(separator: ";"))
  }
}
