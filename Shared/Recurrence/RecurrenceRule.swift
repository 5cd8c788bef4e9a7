import Foundation
import WallClock

/// Dates that come again and again: the part of RFC 5545's RRULE that is about dates, without BYSETPOS, BYWEEKNO and
/// BYYEARDAY.
///
/// What the rule does not say it takes from the date at which it starts: `FREQ=MONTHLY` from the 31st is the 31st of
/// each
/// month that has one. Unlike in RFC 5545, the start itself is a date of the recurrence only if it matches the rule, as
/// python-dateutil has it: `FREQ=WEEKLY;BYDAY=MO` from a Tuesday has its first date on the next Monday.
public struct RecurrenceRule: Sendable, Hashable {
  public let frequency: Frequency
  /// 1…1000: each, each second, … day, week, month or year, counted from that of the start.
  public let interval: Int
  public let end: RecurrenceEnd
  /// The first day of a week, Monday is 1; matters to weekly rules with an interval.
  public let weekStart: Int
  /// 1…12, sorted; empty is all.
  public let months: [Int]
  /// 1…31, and -31…-1 counted from the end of the month; sorted.
  public let monthDays: [Int]
  /// Sorted.
  public let weekdays: [OrdinalWeekday]

  init(
    frequency: Frequency,
    interval: Int,
    end: RecurrenceEnd,
    weekStart: Int,
    months: [Int],
    monthDays: [Int],
    weekdays: [OrdinalWeekday]
  ) {
    self.frequency = frequency
    self.interval = interval
    self.end = end
    self.weekStart = weekStart
    self.months = months.sorted()
    self.monthDays = monthDays.sorted()
    self.weekdays = weekdays.sorted()
  }

  /// Whether the ordinals of BYDAY count in the year, not the month (RFC 5545, notes 1 and 2 to its table).
  var countsInYear: Bool { frequency == .yearly && months.isEmpty }
}

extension RecurrenceRule: CustomStringConvertible {
  /// The rule in RFC 5545's words, without `RRULE:` and what holds anyway; it reads back as this value.
  public var description: String {
    var parts = ["FREQ=\(frequency.rawValue)"]
    if interval != 1 { parts.append("INTERVAL=\(interval)") }
    switch end {
    case .never: break
    case .count(let count): parts.append("COUNT=\(count)")
    case .date(let date): parts.append("UNTIL=\(Self.digits(of: date))")
    case .instant(let instant):
      let time = Zone.utc.localTime(at: instant).description.filter { $0 != ":" }
      parts.append("UNTIL=\(Self.digits(of: Zone.utc.localDate(at: instant)))T\(time)Z")
    }
    if !months.isEmpty { parts.append("BYMONTH=\(Self.list(months))") }
    if !monthDays.isEmpty { parts.append("BYMONTHDAY=\(Self.list(monthDays))") }
    if !weekdays.isEmpty { parts.append("BYDAY=\(Self.list(weekdays))") }
    if weekStart != 1 { parts.append("WKST=\(OrdinalWeekday.codes[weekStart - 1])") }
    return parts.joined(separator: ";")
  }

  private static func digits(of date: LocalDate) -> String { date.description.filter { $0 != "-" } }

  private static func list(_ values: [some CustomStringConvertible]) -> String {
    values.map(\.description).joined(separator: ",")
  }
}
