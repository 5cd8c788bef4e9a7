public import WallClock

/// What new rules may ask for. Those that were stored before there were limits go on without.
extension RecurrenceRule {
  /// The most dates that a COUNT may have.
  public static let mostDates = 10_000
  /// The most values that a part may have.
  public static let mostValues = 64
  /// How many days the next date may be away: a hundred years.
  public static let furthest = 36_525

  /// What is to be stored of a new rule beside it: a COUNT's last date; nil where nothing is.
  ///
  /// It examines the calendar up to its end at most, 96,000 months: two milliseconds.
  ///
  /// - Parameter today: From when on the next date is looked for.
  /// - Throws: What the rule asks too much of.
  public func plan(from start: LocalDate, on today: LocalDate) throws(RecurrenceError) -> RecurrencePlan? {
    let sizes = [("BYMONTH", months.count), ("BYMONTHDAY", monthDays.count), ("BYDAY", weekdays.count)]
    for (part, size) in sizes where size > Self.mostValues {
      throw RecurrenceError(part, "has \(size) values, \(Self.mostValues) at most are allowed")
    }
    var plan: RecurrencePlan?
    if case .count(let count) = end {
      guard count <= Self.mostDates else { throw RecurrenceError("COUNT", "must be 1 to \(Self.mostDates)") }
      plan = RecurrencePlan(rule: description, start: start, last: dates(from: start).last)
    }
    guard comesOrEnds(from: start, on: today, plan) else {
      throw RecurrenceError("", "has no date in the next hundred years")
    }
    return plan
  }

  /// Whether a date comes within ``furthest``, or the rule has ended by then anyway.
  private func comesOrEnds(from start: LocalDate, on today: LocalDate, _ plan: RecurrencePlan?) -> Bool {
    let horizon = today.adding(days: Self.furthest)
    let last = plan?.last ?? end.lastDate(at: .midnight, in: .utc)
    if let last, last < horizon { return true }
    // Whole months at both ends.
    let limit = Self.furthest + 3 * 31
    var search = RecurrenceSearch(self, start: start, plan: plan, notBefore: today, last: horizon, limit: limit)
    if case .found = search.next() { return true }
    return false
  }
}
