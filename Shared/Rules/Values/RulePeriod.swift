public import WallClock

/// A person's local day, week from Monday to Sunday, or month.
public enum RulePeriod: String, Sendable, CaseIterable {
  case day, week, month

  /// The last day of the period that a date is in.
  public func end(of date: LocalDate) -> LocalDate {
    switch self {
    case .day: date
    case .week: date.endOfWeek
    case .month: date.endOfMonth
    }
  }
}
