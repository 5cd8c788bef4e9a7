public import WallClock

/// The dates of a recurrence that starts somewhere, in order, computed as they are asked for.
///
/// Months are looked at one by one, each some ten nanoseconds, from the wanted date on: never from the start, but for a
/// COUNT, which is counted once, when this is made (at most the calendar's 120,000 months, a millisecond). Who may not look as
/// far as that takes ``RecurrenceSearch``.
public struct RecurrenceDates: Sequence, Sendable {
  private let rule: RecurrenceRule
  private let start: LocalDate
  /// The last date; where a rule with a COUNT has fewer, the calendar's last.
  let last: LocalDate

  init(_ rule: RecurrenceRule, start: LocalDate, last: LocalDate?) {
    self.rule = rule
    self.start = start
    var end = last ?? .last
    if case .count = rule.end {
      var search = RecurrenceSearch(rule, start: start, notBefore: .last, limit: .max)
      _ = search.next()
      end = search.last
    }
    self.last = end
  }

  /// The first date after `date`; nil if there is none until the end, or the end of the year 9999.
  public func first(after date: LocalDate) -> LocalDate? {
    date < .last ? first(notBefore: date.adding(days: 1)) : nil
  }

  /// The first date that is `date` or later.
  public func first(notBefore date: LocalDate) -> LocalDate? {
    var search = search(notBefore: date)
    guard case .found(let found) = search.next() else { return nil }
    return found
  }

  public func contains(_ date: LocalDate) -> Bool { first(notBefore: date) == date }

  public func makeIterator() -> Iterator { Iterator(search: search(notBefore: start)) }

  /// That a COUNT ends is in `last`.
  private func search(notBefore date: LocalDate) -> RecurrenceSearch {
    var plan: RecurrencePlan?
    if case .count = rule.end { plan = RecurrencePlan(rule: rule.description, start: start, last: last) }
    return RecurrenceSearch(rule, start: start, plan: plan, notBefore: date, last: last, limit: .max)
  }

  public struct Iterator: IteratorProtocol, Sendable {
    fileprivate var search: RecurrenceSearch

    public mutating func next() -> LocalDate? {
      guard case .found(let date) = search.next() else { return nil }
      return date
    }
  }
}
