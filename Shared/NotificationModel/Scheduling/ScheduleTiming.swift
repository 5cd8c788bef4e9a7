public import Foundation
public import Recurrence
public import WallClock

/// When a schedule sends: once, on the dates of a rule, or around a date that something is due.
public enum ScheduleTiming: Sendable, Equatable {
  case once(Date)
  case recurring(RecurrenceRule, start: LocalDate, time: LocalTime, lateness: Int)
  /// Reminders ascend.
  case deadline(due: LocalDate, time: LocalTime, reminders: [ScheduleReminder], lateness: Int)

  /// Seconds after which a run that was missed is not made up for, unless the schedule says otherwise.
  public static let defaultLateness = 6 * 3_600

  /// Whether it comes at an instant, and not at what clocks show.
  public var isInstant: Bool {
    if case .once = self { return true }
    return false
  }

  /// Seconds after which a run that was missed is not made up for. An instant is sent however late.
  public var lateness: Int {
    switch self {
    case .once: .max
    case .recurring(_, _, _, let lateness), .deadline(_, _, _, let lateness): lateness
    }
  }
}

/// A reminder of what is due, some days before or after it.
public struct ScheduleReminder: Sendable, Equatable {
  public var offset: DayOffset
  /// Nil is the schedule's.
  public var type: Catalogue.Reference?

  public init(offset: DayOffset, type: Catalogue.Reference? = nil) {
    self.offset = offset
    self.type = type
  }
}

/// One date on which a schedule sends something.
public struct Occurrence: Sendable, Equatable {
  public var date: LocalDate
  /// The day it speaks of: its own, unless it is a reminder.
  public var due: LocalDate
  /// Nil is the schedule's.
  public var type: Catalogue.Reference?

  /// Names that texts may use beside the data.
  public static let names: Set = ["days", "due", "date"]

  /// What texts may use beside the data: `days` until what is due, negative after it, `due` and `date`.
  public var facts: [String: String] {
    ["days": "\(due.dayNumber - date.dayNumber)", "due": "\(due)", "date": "\(date)"]
  }
}

extension ScheduleTiming {
  /// The wall-clock time of every occurrence; nil for an instant.
  var time: LocalTime? {
    switch self {
    case .once: nil
    case .recurring(_, _, let time, _), .deadline(_, let time, _, _): time
    }
  }

  /// The last date on which it may come to people in a zone: an end with a time falls on different dates.
  func lastDate(in zone: Zone) -> LocalDate {
    guard case .recurring(let rule, _, let time, _) = self else { return .last }
    return rule.end.lastDate(at: time, in: zone) ?? .last
  }

  /// When an occurrence is sent to people in a zone.
  func instant(of date: LocalDate, in zone: Zone) -> Date {
    if case .once(let instant) = self { return instant }
    return zone.instant(of: date, at: time ?? .midnight)
  }
}
