import Foundation
import WallClock

extension DueOccurrences {
  /// When to search in case zones come into use that are not known of yet. Nil if nothing may come there.
  ///
  /// People move, and join groups. So an occurrence is also searched for as often as its lateness allows, from when it first
  /// may have come somewhere until it has come everywhere: it reaches those, too, whose zone was not in use before.
  static func precaution(_ timing: ScheduleTiming, _ window: OccurrenceWindow, now: Date) -> Date? {
    let pace = OccurrenceWindow.pace(timing)
    let widest = OccurrenceWindow.widest
    let earliest = Zone.utc.localDate(at: now - widest - pace)
    let last = timing.lastDate(in: .utc)
    for found in window.occurrences where found.date >= earliest && found.date <= last {
      let nominal = timing.instant(of: found.date, in: .utc)
      let first = nominal - widest
      let steps = max(1, (now.timeIntervalSince(first) / pace).rounded(.down) + 1)
      let next = first + steps * pace
      if next <= nominal + widest + pace { return next }
    }
    return nil
  }
}
