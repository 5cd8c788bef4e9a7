import Foundation
import WallClock

/// A line of zoneinfo_cases.py: a question about a zone with Python's answer.
struct ZoneinfoQuestion: Decodable {
  enum Kind: String, Decodable {
    case offset, local, quiet
  }

  /// The script's first line.
  struct Header: Decodable {
    let directory: String
    let version: String
    let zones: [String]
  }

  struct Malformed: Error {}

  let kind: Kind
  let zone: String
  let at: Int
  let offset: Int?
  let date: String?
  let time: String?
  let start: String?
  let end: String?
  let window: [Int]?

  var expected: String {
    switch kind {
    case .offset: "\(offset ?? 0)"
    case .local: "\(at)"
    case .quiet: window.map { "\($0[0])-\($0[1])" } ?? "not quiet"
    }
  }

  /// What this package says, in the form of ``expected``.
  func answer(in registry: ZoneRegistry) throws -> String {
    guard let zone = Zone(zone, in: registry) else { throw Malformed() }
    let instant = Date(timeIntervalSince1970: Double(at))
    switch kind {
    case .offset:
      return "\(zone.offset(at: instant))"
    case .local:
      guard let date = LocalDate(date ?? ""), let time = LocalTime(time ?? "") else { throw Malformed() }
      return "\(Int(zone.instant(of: date, at: time).timeIntervalSince1970))"
    case .quiet:
      guard let start = LocalTime(start ?? ""), let end = LocalTime(end ?? ""),
        let hours = QuietHours(start: start, end: end, zone: zone)
      else { throw Malformed() }
      guard let window = hours.window(at: instant) else { return "not quiet" }
      return "\(Int(window.lowerBound.timeIntervalSince1970))-\(Int(window.upperBound.timeIntervalSince1970))"
    }
  }
}
