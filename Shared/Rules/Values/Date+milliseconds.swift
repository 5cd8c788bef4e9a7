import Foundation

extension Date {
  /// Whole milliseconds since 1970: what a state keeps, so that a time read back is the time that was written.
  var milliseconds: Int { Int((timeIntervalSince1970 * 1_000).rounded()) }

  /// - Parameter milliseconds: since 1970.
  init(milliseconds: Int) {
    self.init(timeIntervalSince1970: Double(milliseconds) / 1_000)
  }

  /// Within the years 1970 to 9999 and to the millisecond; what is no time at all is the beginning of 1970.
  var bounded: Date {
    let seconds = timeIntervalSince1970
    guard !seconds.isNaN else { return Date(milliseconds: 0) }
    return Date(milliseconds: Int((Swift.min(Swift.max(seconds, 0), 253_402_300_799) * 1_000).rounded()))
  }
}
