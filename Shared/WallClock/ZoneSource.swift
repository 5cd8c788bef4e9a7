import Foundation

/// Where the offsets of one zone come from.
///
/// A file of the operating system's database if there is a sound one, as that is what its vendor keeps up to date.
/// Otherwise Foundation, whose data is built into the toolchain: in containers without a database, for an old name that
/// the database does without, and for a file that is damaged. Refusing the zone instead would stop the notifications of
/// everybody who has chosen it, for ever; rules of last year are an hour wrong for a few zones.
enum ZoneSource: Sendable {
  case file(TimeZoneFile)
  case foundation(TimeZone)

  /// Nil if neither knows the zone. The identifier is one of ``ZoneRegistry/isIdentifier(_:)``.
  init?(_ identifier: String, in database: ZoneDatabase) {
    if let file = database.file(of: identifier) {
      self = .file(file)
    } else if let timeZone = TimeZone(identifier: identifier) {
      self = .foundation(timeZone)
    } else {
      return nil
    }
  }

  /// Seconds east of UTC at an instant in Unix seconds.
  func offset(at instant: Int) -> Int {
    switch self {
    case .file(let file): file.offset(at: instant)
    case .foundation(let timeZone): timeZone.offset(at: instant)
    }
  }

  /// Changes after one instant and before another, in order, each with the offset that holds from it on. Some may
  /// change nothing but a name or a flag.
  func changes(after start: Int, before end: Int) -> [(at: Int, offset: Int)] {
    switch self {
    case .file(let file): file.changes(after: start, before: end)
    case .foundation(let timeZone): timeZone.changes(after: start, before: end)
    }
  }
}

extension TimeZone {
  fileprivate func offset(at instant: Int) -> Int {
    secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant)))
  }

  /// `nextDaylightSavingTimeTransition` does find changes of the standard offset too (Apia 2011, Pyongyang 2018),
  /// unlike its name; it also reports those that change nothing but a name or a flag (Istanbul 2016).
  fileprivate func changes(after start: Int, before end: Int) -> [(at: Int, offset: Int)] {
    var found: [(at: Int, offset: Int)] = []
    var last = start
    while let next = nextDaylightSavingTimeTransition(after: Date(timeIntervalSince1970: Double(last))) {
      let seconds = Int(next.timeIntervalSince1970)
      guard seconds > last, seconds < end else { break }
      last = seconds
      found.append((seconds, offset(at: seconds)))
    }
    return found
  }
}
