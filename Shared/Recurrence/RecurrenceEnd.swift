public import Foundation
public import WallClock

/// When a recurrence ends (RFC 5545, COUNT and UNTIL, of which a rule has one at most).
public enum RecurrenceEnd: Sendable, Hashable {
  case never
  /// After that many dates, counted from the start.
  case count(Int)
  /// With that date, if it is one of the recurrence.
  case date(LocalDate)
  /// With the last date whose instant is not later.
  case instant(Date)

  /// The last date that the end allows when things happen at `time` in `zone`; nil if it is not known without counting,
  /// or there is none.
  public func lastDate(at time: LocalTime, in zone: Zone) -> LocalDate? {
    switch self {
    case .never, .count: return nil
    case .date(let date): return date
    case .instant(let instant):
      // Not two days back: a later date's time never comes earlier.
      let date = zone.localDate(at: instant)
      return zone.instant(of: date, at: time) <= instant ? date : date.adding(days: -1)
    }
  }
}
