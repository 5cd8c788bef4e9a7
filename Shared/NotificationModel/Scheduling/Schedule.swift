public import Foundation
public import WallClock

/// A schedule as a catalogue understands it.
public struct Schedule: Sendable {
  /// What is told; its type is the schedule's own, its texts are templates.
  public let request: SendRequest
  public let timing: ScheduleTiming
  /// Whose clocks count; nil is each recipient's own.
  public let zone: Zone?

  public init(request: SendRequest, timing: ScheduleTiming, zone: Zone?) {
    self.request = request
    self.timing = timing
    self.zone = zone
  }

  /// Whether it comes at different instants to people in different zones.
  public var followsRecipients: Bool { zone == nil && !timing.isInstant }

  /// The coming instants for people in a zone.
  public func next(_ count: Int, after instant: Date, in zone: Zone) -> [Date] {
    let zone = self.zone ?? zone
    let occurrences = timing.occurrences(in: zone)
    var instants: [Date] = []
    // A day early: an instant may fall on another date than its occurrence (a day that was skipped).
    var date = zone.localDate(at: instant).adding(days: -1)
    while instants.count < count, let found = occurrences.occurrence(notBefore: date), found.date < .last {
      let at = timing.instant(of: found.date, in: zone)
      if at > instant { instants.append(at) }
      date = found.date.adding(days: 1)
    }
    return instants
  }
}
