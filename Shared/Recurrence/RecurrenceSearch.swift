public import WallClock

/// Looks for the dates of a recurrence in order, no further than it may, and is taken up again where it ended.
public struct RecurrenceSearch: Sendable {
  /// What a step finds.
  public enum Step: Sendable, Hashable {
    case found(LocalDate)
    /// No date comes any more.
    case ended
    /// There may be one, but no more days may be examined.
    case limited
  }

  /// Days that may still be examined.
  public private(set) var limit: Int
  /// Every day up to this one has been examined.
  public private(set) var until: LocalDate
  /// Dates found, counted from the start; of meaning while ``isCounting``.
  public private(set) var count: Int
  /// The last date, as far as it is known: of a COUNT it may be found on the way.
  public private(set) var last: LocalDate

  private let most: Int?
  private var months: MonthSearch
  private var month: CalendarMonth?
  private var days: UInt32 = 0
  private var wanted: LocalDate
  /// Dates that are known, the last one first.
  private var former: [LocalDate]

  /// Whether a COUNT is counted on the way, for its last date is not known: then no day may be left out.
  public var isCounting: Bool { most != nil }

  /// Whether a COUNT was counted to its end here, so that ``last`` is its last date.
  public var isCounted: Bool { count == most }

  /// - Parameters:
  ///   - plan: What is known; one of another rule or start counts for nothing.
  ///   - date: The first that is wanted.
  ///   - last: The last that is wanted; nil is as the rule has it.
  ///   - limit: Days that may be examined; no month is begun for which fewer than 31 are left.
  public init(
    _ rule: RecurrenceRule,
    start: LocalDate,
    plan: RecurrencePlan? = nil,
    notBefore date: LocalDate = .first,
    last: LocalDate? = nil,
    limit: Int
  ) {
    let known = plan.flatMap { $0.isOf(rule, from: start) ? $0 : nil }
    var end = last ?? .last
    var most: Int?
    switch rule.end {
    case .never: break
    // Nowhere is it later than the next day; in which zone it ends when is the caller's to know.
    case .instant(let instant): end = min(end, Zone.utc.localDate(at: instant).adding(days: 1))
    case .date(let date): end = min(end, date)
    case .count(let count):
      if let last = known?.last { end = min(end, last) } else { most = count }
    }
    let progress = known?.progress
    self.most = most
    self.last = end
    self.limit = limit
    wanted = max(date, start)
    count = progress?.count ?? 0
    former = (progress?.dates ?? []).reversed()
    let begin = progress.map { max($0.until.adding(days: 1), start) } ?? start
    let from = most == nil ? max(wanted, begin) : begin
    until = from.adding(days: -1)
    months = MonthSearch(DayPattern(rule, start: start), Stepping(rule, start: start), from: from, to: end)
  }

  /// Leaves out dates before `date`, which must not be one before those that were found.
  public mutating func skip(to date: LocalDate) {
    guard date > wanted else { return }
    wanted = date
    if isCounting { return }
    if let month, date <= month.date(day: month.length) { return }
    months.skip(to: date)
    days = 0
  }

  /// The next date that is wanted.
  public mutating func next() -> Step {
    while let date = former.popLast() {
      if date > last { return .ended }
      if date >= wanted { return .found(date) }
    }
    while !isCounted {
      if days == 0 {
        switch months.next(limit: &limit) {
        case .found(let found, let dates): (month, days) = (found, dates)
        case .ended: return .ended
        case .limited:
          until = max(until, months.examined)
          return .limited
        }
      }
      guard let date = month?.date(day: days.trailingZeroBitCount), date <= last else { return .ended }
      days &= days - 1
      count += 1
      until = date
      if isCounted { last = date }
      if date >= wanted { return .found(date) }
    }
    return .ended
  }
}
