public import Foundation
public import WallClock

extension DecisionInput {
  /// The zone by whose clocks the recipient reads times.
  public var zone: Zone { recipient.zone ?? recipient.quietHours?.zone ?? .utc }

  /// A time as the recipient's clock shows it.
  func spoken(_ time: Date) -> String { NotificationModel.spoken(time, in: zone, seenFrom: subject.now) }
}

extension Zone {
  /// A time as clocks there show it, with its date: `2026-11-22 22:30 Europe/Berlin`.
  public func spoken(_ time: Date) -> String { "\(localDate(at: time)) \(localTime(at: time).spoken) \(self)" }
}

/// `07:00 Europe/Berlin`; with its date if that might be missed, which is more than a day from `now`.
func spoken(_ time: Date, in zone: Zone, seenFrom now: Date) -> String {
  let isNear = abs(time.timeIntervalSince(now)) <= 86_400
  return isNear ? "\(zone.localTime(at: time).spoken) \(zone)" : zone.spoken(time)
}

/// `15 minutes`, `1 hour`, `2 days`: the largest unit that says it exactly.
func spoken(seconds: Int) -> String {
  let units = [(86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second")]
  let (size, name) = units.first { seconds.isMultiple(of: $0.0) && seconds >= $0.0 } ?? (1, "second")
  let count = seconds / size
  return "\(count) \(name)\(count == 1 ? "" : "s")"
}

extension LocalTime {
  /// `HH:mm`, without seconds.
  var spoken: String { String(description.prefix(5)) }
}
