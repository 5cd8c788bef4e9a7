import Foundation
import WallClock

/// Where on earth it is between 23:00 and midnight.
enum DemoNight {
  static let start = "22:00"
  static let end = "07:00"

  /// One place without summer time for each whole hour's distance from UTC, -9 to +14: one of them has 23 o'clock at any time.
  private static let places = [
    "Pacific/Gambier", "Pacific/Pitcairn", "America/Phoenix", "America/Costa_Rica", "America/Bogota",
    "America/Puerto_Rico", "America/Argentina/Buenos_Aires", "Atlantic/South_Georgia", "Atlantic/Cape_Verde",
    "Africa/Abidjan", "Africa/Lagos", "Africa/Johannesburg", "Africa/Nairobi", "Asia/Dubai", "Asia/Karachi",
    "Asia/Dhaka", "Asia/Bangkok", "Asia/Singapore", "Asia/Tokyo", "Australia/Brisbane", "Pacific/Guadalcanal",
    "Pacific/Tarawa", "Pacific/Tongatapu", "Pacific/Kiritimati",
  ]

  static func place(at now: Date) -> String {
    let hour = Int(now.timeIntervalSince1970) / 3_600 % 24
    let distance = 23 - hour <= 14 ? 23 - hour : -1 - hour
    return places[distance + 9]
  }
}
