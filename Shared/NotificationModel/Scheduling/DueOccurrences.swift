public import Foundation
public import Recurrence
public import WallClock

/// The occurrences of a schedule that are due, and when to search for the next ones. Pure.
public struct DueOccurrences: Sendable, Equatable {
  /// An occurrence that has come in some zones.
  public struct Run: Sendable, Equatable {
    public var occurrence: Occurrence
    /// When it came.
    public var at: Date
    /// As profiles name them, the empty text for people without one; nil is everybody.
    public var zones: [String]?
  }

  /// Days of the calendar that one search examines at most, whatever the rule. The next search goes on where it ended.
  public static let maximumDays = 2_000
  /// Seconds until a search that ended early goes on.
  public static let pause: TimeInterval = 1

  /// In order of time.
  public var runs: [Run] = []
  /// What is too late to be made up for: of each zone the first, in order of time.
  public var missed: [Run] = []
  /// When to search again; nil if nothing comes any more.
  public var next: Date?
  /// Until when everything was found: the time of the search, or before it where days are left to be examined.
  public var searchedUntil: Date
  /// What the next search is to know of the rule's dates; nil is nothing.
  public var plan: RecurrencePlan?
  /// Days that were examined.
  public var examined: Int

  /// - Parameters:
  ///   - done: Everything up to it was found before.
  ///   - zones: Those of the audience as profiles name them, the empty text for people without one.
  ///   - home: The zone of people who have none, or one that nobody knows.
  ///   - plan: What the last search left, or the schedule was put with.
  ///   - limit: Days that may be examined.
  public init(
    _ schedule: Schedule,
    zones: Set<String>,
    home: Zone,
    plan: RecurrencePlan? = nil,
    after done: Date,
    now: Date,
    limit: Int = Self.maximumDays
  ) {
    let timing = schedule.timing
    let zone = schedule.zone ?? home
    let window = OccurrenceWindow(timing, in: zone, plan: plan, after: done, now: now, limit: limit)
    searchedUntil = window.searchedUntil
    self.plan = window.plan
    examined = window.examined
    if schedule.followsRecipients {
      var names: [Zone: [String]] = [:]
      for name in zones { names[Zone(name) ?? home, default: []].append(name) }
      for (zone, names) in names { add(timing, window, in: zone, named: names, after: done, now: now) }
      runs = Self.merged(runs)
      missed = Self.merged(missed)
      if let precaution = Self.precaution(timing, window, now: now) { next = min(next ?? precaution, precaution) }
    } else {
      add(timing, window, in: zone, named: nil, after: done, now: now)
    }
    if window.isLimited { next = now + Self.pause }
  }

  private mutating func add(
    _ timing: ScheduleTiming,
    _ window: OccurrenceWindow,
    in zone: Zone,
    named names: [String]?,
    after done: Date,
    now: Date
  ) {
    let oldest = OccurrenceWindow.oldest(timing, now: now)
    let last = timing.lastDate(in: zone)
    var hasMissed = false
    // A day early: an instant may fall on another date than its occurrence (a day that was skipped).
    let first = zone.localDate(at: done).adding(days: -1)
    for occurrence in window.occurrences where occurrence.date >= first {
      guard occurrence.date <= last else { return }
      let run = Run(occurrence: occurrence, at: timing.instant(of: occurrence.date, in: zone), zones: names)
      if run.at > window.searchedUntil {
        if run.at > now { next = min(next ?? run.at, run.at) }
        return
      }
      guard run.at > done else { continue }
      if run.at >= oldest {
        runs.append(run)
      } else if !hasMissed {
        missed.append(run)
        hasMissed = true
      }
    }
  }

  /// One run for all zones in which an occurrence came at the same instant.
  private static func merged(_ runs: [Run]) -> [Run] {
    struct Key: Hashable {
      let date: LocalDate
      let at: Date
    }
    var byKey: [Key: Run] = [:]
    for run in runs {
      let key = Key(date: run.occurrence.date, at: run.at)
      if byKey[key] == nil { byKey[key] = run } else { byKey[key]?.zones? += run.zones ?? [] }
    }
    return byKey.values
      .map { run in
        var run = run
        run.zones?.sort()
        return run
      }
      .sorted { ($0.at, $0.occurrence.date) < ($1.at, $1.occurrence.date) }
  }
}
