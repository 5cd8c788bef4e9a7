/// A POSIX TZ string: an offset, and maybe another for a part of each year. It is the footer of a TZif file (RFC 9636
/// 3.3).
///
/// `CET-1CEST,M3.5.0,M10.5.0/3` is one hour east of UTC, and two from the last Sunday in March, 02:00, to the last in
/// October, 03:00. Daylight saving may go back (Ireland's `IST-1GMT0,M10.5.0,M3.5.0/1`) and may last all year.
package struct PosixTimeZone: Hashable, Sendable {
  /// Seconds east of UTC; TZ strings count west.
  let standard: Int
  let daylight: Daylight?

  struct Daylight: Hashable, Sendable {
    let offset: Int
    /// By standard clocks.
    let start: PosixRule
    /// By daylight saving clocks.
    let end: PosixRule
  }

  init(standard: Int, daylight: Daylight?) {
    self.standard = standard
    self.daylight = daylight
  }

  /// Nil unless all of the text is a TZ string as RFC 9636 wants it: names of three characters or more, and rules if
  /// there is daylight saving.
  package init?(_ text: some Sequence<UInt8>) {
    var reader = PosixReader(text)
    guard let zone = reader.timeZone(), reader.isAtEnd else { return nil }
    self = zone
  }

  /// Seconds east of UTC at an instant in Unix seconds.
  package func offset(at instant: Int) -> Int {
    let year = Self.year(instant)
    return bounds(years: year - 2...year + 1).last { $0.at <= instant }?.offset ?? standard
  }

  /// Changes after one instant and before another, in order, each with the offset that holds from it on.
  package func changes(after start: Int, before end: Int) -> [(at: Int, offset: Int)] {
    guard start < end else { return [] }
    var found: [(at: Int, offset: Int)] = []
    for bound in bounds(years: Self.year(start) - 1...Self.year(end) + 1) where bound.at > start && bound.at < end {
      if found.last?.at == bound.at { found.removeLast() }
      found.append((bound.at, bound.offset))
    }
    return found
  }

  /// Where daylight saving begins and ends in some years, in order.
  ///
  /// If it ends as the next year's begins (`EST5EDT,0/0,J365/25`: all year, POSIX 8.3) the later year's counts; if it
  /// ends as its own begins, there is none that year.
  private func bounds(years: ClosedRange<Int>) -> [(at: Int, order: Int, offset: Int)] {
    guard let daylight else { return [] }
    return years.flatMap { year in
      [
        (at: daylight.start.local(year: year) - standard, order: year * 2, offset: daylight.offset),
        (at: daylight.end.local(year: year) - daylight.offset, order: year * 2 + 1, offset: standard),
      ]
    }
    .sorted { ($0.at, $0.order) < ($1.at, $1.order) }
  }

  /// The year in UTC; instants beyond the calendar's range count as its first or last. Local years differ by a week at
  /// most, which the years to either side make up for.
  private static func year(_ instant: Int) -> Int { LocalDate(dayNumber: floorDivide(instant, 86_400)).year }
}
