public import Foundation
public import Retrying

/// This machine's clock, or the database's, is wrong. It passes once somebody has set it.
public struct ClockDisagreement: Error, Equatable, CustomStringConvertible {
  /// By which this machine's clock is ahead; negative if it is behind.
  public let seconds: TimeInterval

  public init(seconds: TimeInterval) {
    self.seconds = seconds
  }

  /// `3600 s ahead of the database's`.
  public var difference: String {
    "\(Int(min(abs(seconds), 1e12).rounded())) s \(seconds > 0 ? "ahead of" : "behind") the database's"
  }

  public var description: String {
    "this machine's clock is \(difference): they may differ by no more than \(Int(ClockWatch.limit)) s; set both by NTP"
  }
}

extension ClockDisagreement: TransienceReporting {
  public var isTransient: Bool { true }
  public var hasTimedOut: Bool { false }
  public var isCancelled: Bool { false }
}
