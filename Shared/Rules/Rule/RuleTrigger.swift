public import WallClock

/// What a rule waits for.
public enum RuleTrigger: Sendable, Equatable {
  /// Matched without regard to case.
  case event(String)
  case absence(RuleAbsence)
}

/// That an event has not happened for some days.
public struct RuleAbsence: Sendable, Equatable {
  public let event: String
  /// Full local days since the last one.
  public let days: Int
  /// When it is sent, in the person's zone; the scan of a zone runs then.
  public let time: LocalTime

  /// The last day of those that are sent on a day.
  public func lastDay(before today: LocalDate) -> LocalDate { today.adding(days: -days) }
}
