import Foundation
import Recurrence
import WallClock

/// The occurrences that ``DueOccurrences`` are among, found once for all zones. Pure.
///
/// They go from what was found before to the first that is still to come everywhere.
struct OccurrenceWindow {
  /// In order of their dates. Of those that are too late the first ones alone.
  private(set) var occurrences: [Occurrence] = []
  /// Nothing that comes until then is missing; the time of the search, unless dates before it are still to be examined.
  private(set) var searchedUntil: Date
  /// Whether more days are to be examined before it is known what comes next.
  private(set) var isLimited = false
  /// What the next search is to know; nil is nothing.
  private(set) var plan: RecurrencePlan?
  /// Days that were examined.
  private(set) var examined = 0

  /// No zone is further from UTC than this, in seconds.
  static let widest: TimeInterval = 16 * 3_600
  /// Seconds of a hundred years.
  private static let longest = 36_525 * 86_400

  /// - Parameters:
  ///   - zone: Where it is asked on which date an instant falls.
  ///   - done: Everything up to it was found before.
  ///   - limit: Days that may be examined.
  init(
    _ timing: ScheduleTiming,
    in zone: Zone,
    plan: RecurrencePlan?,
    after done: Date,
    now: Date,
    limit: Int
  ) {
    searchedUntil = now
    let floor = Self.floor(timing, after: done, now: now)
    // After these dates it is another day everywhere.
    let published = Self.date(at: done + Self.widest)
    let come = Self.date(at: now + Self.widest)
    let young = Self.date(at: Self.oldest(timing, now: now) - Self.widest).adding(days: -1)
    var search = OccurrenceSearch(timing, in: zone, notBefore: floor, plan: plan, limit: limit)
    steps: while true {
      switch search.next() {
      case .found(let occurrence):
        occurrences.append(occurrence)
        if occurrence.date > come { break steps }
        if occurrence.date > published, occurrence.date < young { search.skip(to: young) }
      case .ended: break steps
      case .limited:
        isLimited = true
        break steps
      }
    }
    examined = search.examined
    guard case .recurring(let rule, let start, _, _) = timing, let dates = search.dates else { return }
    if isLimited {
      searchedUntil = min(now, Zone.utc.instant(of: dates.until.adding(days: 1), at: .midnight) - Self.widest)
    }
    let needed = Self.floor(timing, after: max(done, searchedUntil), now: now)
    let known = plan.flatMap { $0.isOf(rule, from: start) ? $0 : nil }
    let last = dates.isCounted ? dates.last : known?.last
    // Where nothing is counted it matters only while the search for the next date is long.
    let isLong = isLimited || known?.progress.map { $0.until >= needed } ?? false
    if dates.isCounting || isLong {
      // Also those known before that this search did not come to: its clock may be behind the last one's.
      let found = Set(occurrences.map(\.date)).union(known?.progress?.dates ?? [])
      let progress = RecurrencePlan.Progress(
        until: dates.until,
        count: dates.count,
        dates: found.filter { $0 >= needed }.sorted()
      )
      self.plan = RecurrencePlan(rule: rule.description, start: start, last: last, progress: progress)
    } else if let last {
      self.plan = RecurrencePlan(rule: rule.description, start: start, last: last)
    }
  }

  /// What came before it is not made up for.
  static func oldest(_ timing: ScheduleTiming, now: Date) -> Date {
    now.addingTimeInterval(-Double(min(timing.lateness, longest)))
  }

  /// How far apart the searches are that reach those whose zone was not in use before, in seconds.
  static func pace(_ timing: ScheduleTiming) -> TimeInterval { Double(max(timing.lateness, 3_600)) }

  /// The first date that may still come to somebody: after `done`, or to people whose zone was not in use before.
  private static func floor(_ timing: ScheduleTiming, after done: Date, now: Date) -> LocalDate {
    guard !timing.isInstant else { return .first }
    // A day early: an instant may fall on another date than its occurrence (a day that was skipped).
    let undone = date(at: done - widest).adding(days: -1)
    return min(undone, date(at: now - widest - pace(timing)))
  }

  private static func date(at instant: Date) -> LocalDate { Zone.utc.localDate(at: instant) }
}
