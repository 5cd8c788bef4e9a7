import Foundation

/// The two minutes around each quarter of an hour, when everybody's timers go off: Google asks for no retries then.
enum QuarterHours {
  private static let quarter = 900.0
  private static let margin = 60.0

  /// How long those minutes last from `date` on; nil outside of them.
  static func remaining(at date: Date) -> Duration? {
    let seconds = (date.timeIntervalSince1970 + margin).truncatingRemainder(dividingBy: quarter)
    return seconds < 2 * margin ? .seconds(2 * margin - seconds) : nil
  }
}
