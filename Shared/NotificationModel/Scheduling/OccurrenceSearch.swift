import Recurrence
import WallClock

/// Looks for a schedule's occurrences in order of their dates, examining no more days than it may.
struct OccurrenceSearch {
  enum Step {
    case found(Occurrence)
    /// None comes any more.
    case ended
    /// There may be one, but no more days may be examined.
    case limited
  }

  private enum Source {
    /// All that there are.
    case listed([Occurrence])
    case dates(RecurrenceSearch)
  }

  private var source: Source
  private let limit: Int

  /// - Parameters:
  ///   - zone: Where it is asked on which date an instant falls; to everything else it is of no matter.
  ///   - date: The first that is wanted.
  ///   - plan: What is known of a rule's dates.
  ///   - limit: Days that may be examined.
  init(
    _ timing: ScheduleTiming,
    in zone: Zone,
    notBefore date: LocalDate,
    plan: RecurrencePlan?,
    limit: Int
  ) {
    self.limit = limit
    switch timing {
    case .once(let instant):
      let day = zone.localDate(at: instant)
      source = .listed([Occurrence(date: day, due: day)].filter { $0.date >= date })
    case .deadline(let due, _, let reminders, _):
      let all = reminders.map { Occurrence(date: due + $0.offset, due: due, type: $0.type) }
      source = .listed(all.filter { $0.date >= date }.reversed())
    case .recurring(let rule, let start, _, _):
      source = .dates(RecurrenceSearch(rule, start: start, plan: plan, notBefore: date, limit: limit))
    }
  }

  /// Days that were examined.
  var examined: Int { dates.map { limit - $0.limit } ?? 0 }

  /// The search of a rule's dates; nil where there is none.
  var dates: RecurrenceSearch? {
    if case .dates(let search) = source { return search }
    return nil
  }

  /// The calendar's last date is nobody's: there is no day after it.
  mutating func next() -> Step {
    switch source {
    case .listed(var rest):
      guard let occurrence = rest.popLast(), occurrence.date < .last else { return .ended }
      source = .listed(rest)
      return .found(occurrence)
    case .dates(var search):
      // Held once: what is held twice is copied when it changes.
      source = .listed([])
      defer { source = .dates(search) }
      switch search.next() {
      case .found(let date): return date < .last ? .found(Occurrence(date: date, due: date)) : .ended
      case .ended: return .ended
      case .limited: return .limited
      }
    }
  }

  /// Leaves out what is before `date`, which must not be before what was found.
  mutating func skip(to date: LocalDate) {
    switch source {
    case .listed(let rest): source = .listed(rest.filter { $0.date >= date })
    case .dates(var search):
      search.skip(to: date)
      source = .dates(search)
    }
  }
}
