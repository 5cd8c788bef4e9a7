public import Foundation

/// The part of each day in which somebody does not want to be disturbed, by the clocks of a zone.
///
/// Each local date D has one window: from the instant of D at `start` up to, but not at, the instant of D at `end`,
/// or of
/// the next date if `start > end`. Both are instants as ``Zone/instant(of:at:)`` has them, so a bound that daylight
/// saving
/// skips is the first instant after the gap, and one that comes twice is its first occurrence: 01:00-02:30 is over at
/// the first 02:30, though the clocks go back to 02:00 later. A window that begins and ends within one gap is empty.
/// Windows
/// that meet, which only a gap brings about (a day that Samoa skipped), are one.
public struct QuietHours: Hashable, Sendable {
  public let start: LocalTime
  public let end: LocalTime
  public let zone: Zone

  /// Nil if start and end are the same: that might mean never or always.
  public init?(start: LocalTime, end: LocalTime, zone: Zone) {
    guard start != end else { return nil }
    self.start = start
    self.end = end
    self.zone = zone
  }

  /// The window that an instant lies in; nil when it is not quiet. Its upper bound is the first instant that is not.
  public func window(at instant: Date) -> Range<Date>? {
    let now = instant.unixSeconds
    let span = zone.span(at: now)
    let window =
      // A window that touches `now` or the next one lies within a day of it, and clocks never jumped by more than a day.
      span.since <= now - 2 * 86_400 && now + 2 * 86_400 < span.until
      ? window(atLocal: now + span.offset)?.shifted(by: -span.offset) : window(aroundChangesAt: now, span.offset)
    return window.map {
      Date(timeIntervalSince1970: Double($0.lowerBound))..<Date(timeIntervalSince1970: Double($0.upperBound))
    }
  }

  /// For days of 24 hours: all in local seconds.
  private func window(atLocal now: Int) -> Range<Int>? {
    let time = floorModulo(now, 86_400)
    let midnight = now - time
    let (start, end) = (start.secondOfDay, end.secondOfDay)
    if start < end { return start <= time && time < end ? midnight + start..<midnight + end : nil }
    if time >= start { return midnight + start..<midnight + 86_400 + end }
    return time < end ? midnight - 86_400 + start..<midnight + end : nil
  }

  /// The definition itself, over the dates whose windows can reach `now` or meet one that does.
  private func window(aroundChangesAt now: Int, _ offset: Int) -> Range<Int>? {
    let today = floorDivide(now + offset, 86_400)
    var found: Range<Int>?
    for day in today - 3...today + 3 {
      let lower = zone.instant(ofLocal: day * 86_400 + start.secondOfDay)
      let upper = zone.instant(ofLocal: (start < end ? day : day + 1) * 86_400 + end.secondOfDay)
      guard lower < upper else { continue }
      if let last = found, lower <= last.upperBound {
        found = last.lowerBound..<upper
      } else if found?.contains(now) == true {
        break
      } else {
        found = lower..<upper
      }
    }
    return found.flatMap { $0.contains(now) ? $0 : nil }
  }
}

extension QuietHours: CustomStringConvertible {
  /// `22:00:00-07:00:00 Europe/Berlin`.
  public var description: String { "\(start)-\(end) \(zone)" }
}

extension Range<Int> {
  fileprivate func shifted(by distance: Int) -> Range<Int> { lowerBound + distance..<upperBound + distance }
}
