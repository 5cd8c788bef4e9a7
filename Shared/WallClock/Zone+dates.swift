public import Foundation

extension Zone {
  /// Seconds east of UTC at an instant.
  public func offset(at instant: Date) -> Int { span(at: instant.unixSeconds).offset }

  /// What a calendar there shows.
  public func localDate(at instant: Date) -> LocalDate {
    LocalDate(dayNumber: floorDivide(localSeconds(at: instant), 86_400))
  }

  /// What a clock there shows, without fractions of a second.
  public func localTime(at instant: Date) -> LocalTime {
    LocalTime(secondOfDay: floorModulo(localSeconds(at: instant), 86_400))!
  }

  /// The instant at which the zone's clocks show a date and time.
  ///
  /// A time that is skipped is the first instant after the gap; one that comes twice is its first occurrence.
  public func instant(of date: LocalDate, at time: LocalTime) -> Date {
    Date(timeIntervalSince1970: Double(instant(ofLocal: date.dayNumber * 86_400 + time.secondOfDay)))
  }

  private func localSeconds(at instant: Date) -> Int {
    let seconds = instant.unixSeconds
    return seconds + span(at: seconds).offset
  }
}

extension Date {
  /// Whole seconds since 1970, rounded down. Instants beyond the years 1…9999 count as their first or last.
  var unixSeconds: Int {
    let bounds = (Double(LocalDate.first.dayNumber) * 86_400, Double(LocalDate.last.dayNumber + 1) * 86_400 - 1)
    return Int(Swift.min(Swift.max(timeIntervalSince1970, bounds.0), bounds.1).rounded(.down))
  }
}
