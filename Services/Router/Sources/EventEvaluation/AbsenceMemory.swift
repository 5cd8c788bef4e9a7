import Foundation
import WallClock

/// What a router need not ask the database again: the zones in use, and which scans are done or in other hands.
actor AbsenceMemory {
  private struct Scan: Hashable {
    var rule: String
    var day: LocalDate
    var zone: String
  }

  private var known: (zones: [String], at: Date)?
  /// Until when a scan need not be asked for.
  private var seen: [Scan: Date] = [:]

  /// A zone that somebody is the first to have is known after so long.
  private static let freshness: TimeInterval = 300

  func zones(now: Date, _ load: () async throws -> [String]) async throws -> [String] {
    if let known, abs(now.timeIntervalSince(known.at)) < Self.freshness { return known.zones }
    let zones = try await load()
    known = (zones, now)
    return zones
  }

  func unseen(_ rule: String, _ day: LocalDate, _ zones: [String], now: Date) -> [String] {
    zones.filter { zone in seen[Scan(rule: rule, day: day, zone: zone)].map { $0 <= now } ?? true }
  }

  /// Remembers scans that are done, or in other hands, and forgets those of which it is time to ask again.
  func see(_ rule: String, _ day: LocalDate, _ zones: [String], now: Date, until: Date) {
    seen = seen.filter { $0.value > now }
    for zone in zones { seen[Scan(rule: rule, day: day, zone: zone)] = until }
  }
}
