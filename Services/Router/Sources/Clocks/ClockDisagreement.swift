import Foundation
import Retrying

/// This machine's clock, or the database's, is wrong. It passes once somebody has set it.
struct ClockDisagreement: Error, Equatable, CustomStringConvertible {
  /// By which this machine's clock is ahead; negative if it is behind.
  let seconds: TimeInterval

  /// `3600 s ahead of the database's`.
  var difference: String {
    "\(Int(min(abs(seconds), 1e12).rounded())) s \(seconds > 0 ? "ahead of" : "behind") the database's"
  }

  var description: String {
    "this machine's clock is \(difference): nothing is routed, and nothing that is due is told, until they differ by no more than "
      + "\(Int(ClockWatch.limit)) s; set both by NTP"
  }
}

extension ClockDisagreement: TransienceReporting {
  var isTransient: Bool { true }
  var hasTimedOut: Bool { false }
  var isCancelled: Bool { false }
}
