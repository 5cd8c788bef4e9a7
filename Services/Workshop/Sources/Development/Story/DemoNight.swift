import Foundation
import WallClock

/// Where on earth it is night.
enum DemoNight {
  /// Where somebody is, as people call it.
  struct Place: Sendable, Equatable {
    let name: String
    let zone: String
  }

  static let start = "22:00"
  static let end = "07:00"

  /// All around the earth, none more than three hours from the next, in summer and in winter.
  static let places = [
    Place(name: "Honolulu", zone: "Pacific/Honolulu"), Place(name: "Los Angeles", zone: "America/Los_Angeles"),
    Place(name: "New York", zone: "America/New_York"), Place(name: "São Paulo", zone: "America/Sao_Paulo"),
    Place(name: "Reykjavík", zone: "Atlantic/Reykjavik"), Place(name: "Cairo", zone: "Africa/Cairo"),
    Place(name: "Dubai", zone: "Asia/Dubai"), Place(name: "Mumbai", zone: "Asia/Kolkata"),
    Place(name: "Bangkok", zone: "Asia/Bangkok"), Place(name: "Tokyo", zone: "Asia/Tokyo"),
    Place(name: "Sydney", zone: "Australia/Sydney"), Place(name: "Auckland", zone: "Pacific/Auckland"),
  ]

  /// Where it is nearest to a quarter to midnight.
  static func place(at now: Date) -> Place {
    places.min { distance($0, now) < distance($1, now) } ?? places[0]
  }

  /// In seconds.
  private static func distance(_ place: Place, _ now: Date) -> Int {
    let (day, wanted) = (86_400, 85_500)
    guard let zone = Zone(place.zone) else { return day }
    let distance = abs(zone.localTime(at: now).secondOfDay - wanted)
    return min(distance, day - distance)
  }

  /// `Tokyo`, `New York`: no name of a database.
  static func name(of zone: String) -> String {
    places.first { $0.zone == zone }?.name
      ?? zone.split(separator: "/").last.map { $0.split(separator: "_").joined(separator: " ") } ?? zone
  }
}
