public import Foundation
public import WallClock

/// What a look at a schedule finds: what is to be told now, and when to look again. Pure.
public struct ScheduleLook: Sendable, Equatable {
  /// An occurrence that has come in some zones.
  public struct Run: Sendable, Equatable {
    public var occurrence: Occurrence
    /// When it came.
    public var at: Date
    /// As profiles name them, the empty text for people without one; nil is everybody.
    public var zones: [String]?
  }

  /// In order of time.
  public var runs: [Run] = []
  /// What is too late to be made up for: of each zone the first, in order of time.
  public var missed: [Run] = []
  /// When to look again; nil if nothing comes any more.
  public var next: Date?

  /// - Parameters:
  ///   - done: Everything up to it was looked at before.
  ///   - zones: Those of the audience as profiles name them, the empty text for people without one.
  ///   - home: The zone of people who have none, or one that nobody knows.
  public init(_ schedule: Schedule, zones: Set<String>, home: Zone, after done: Date, now: Date) {
    let timing = schedule.timing
    guard schedule.followsRecipients else {
      let zone = schedule.zone ?? home
      add(timing, timing.occurrences(in: zone), in: zone, named: nil, after: done, now: now)
      return
    }
    var names: [Zone: [String]] = [:]
    for name in zones { names[Zone(name) ?? home, default: []].append(name) }
    let nominal = timing.occurrences(in: .utc)
    for (zone, names) in names {
      // A COUNT is counted once for all zones.
      let occurrences = timing.datesDependOnZone ? timing.occurrences(in: zone) : nominal
      add(timing, occurrences, in: zone, named: names, after: done, now: now)
    }
    runs = Self.merged(runs)
    missed = Self.merged(missed)
    if let look = Self.precaution(timing, nominal, now: now) { next = min(next ?? look, look) }
  }

  private mutating func add(
    _ timing: ScheduleTiming,
    _ occurrences: any OccurrenceDates,
    in zone: Zone,
    named names: [String]?,
    after done: Date,
    now: Date
  ) {
    let oldest = now.addingTimeInterval(-Double(min(timing.lateness, Self.longest)))
    var hasMissed = false
    // A day early: an instant may fall on another date than its occurrence (a day that was skipped).
    var date = zone.localDate(at: done).adding(days: -1)
    while let found = occurrences.occurrence(notBefore: date), found.date < .last {
      let run = Run(occurrence: found, at: timing.instant(of: found.date, in: zone), zones: names)
      if run.at > now {
        next = min(next ?? run.at, run.at)
        return
      }
      date = found.date.adding(days: 1)
      guard run.at > done else { continue }
      if run.at >= oldest {
        runs.append(run)
      } else {
        if !hasMissed { missed.append(run) }
        hasMissed = true
        date = max(date, zone.localDate(at: oldest).adding(days: -1))
      }
    }
  }

  /// Seconds of a hundred years.
  private static let longest = 36_525 * 86_400

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

  // MARK: Zones that are not known of

  /// No zone is further from UTC than this, in seconds.
  public static let widest = 16 * 3_600

  /// People move, and join groups: an occurrence is also looked for as often as its lateness allows, from when it first may
  /// have come somewhere until it has come everywhere. So it reaches also those whose zone was not in use before.
  ///
  /// - Parameter occurrences: Those in UTC.
  private static func precaution(
    _ timing: ScheduleTiming,
    _ occurrences: any OccurrenceDates,
    now: Date
  ) -> Date? {
    let pace = Double(max(timing.lateness, 3_600))
    let earliest = now.addingTimeInterval(-Double(widest) - pace)
    var date = Zone.utc.localDate(at: earliest)
    while let found = occurrences.occurrence(notBefore: date), found.date < .last {
      let nominal = timing.instant(of: found.date, in: .utc)
      let first = nominal.addingTimeInterval(-Double(widest))
      let steps = max(1, (now.timeIntervalSince(first) / pace).rounded(.down) + 1)
      let look = first.addingTimeInterval(steps * pace)
      if look <= nominal.addingTimeInterval(Double(widest) + pace) { return look }
      date = found.date.adding(days: 1)
    }
    return nil
  }
}
