public import Foundation

/// How much of a ``Throttle`` a user has used up, for one type and key.
///
/// It counts notifications that were let through, each once, on whatever channels: see
/// ``RoutingDecision/isCounted(_:from:of:channels:)``.
public struct ThrottleUse: Sendable, Equatable {
  /// How many were let through in the time that has just passed, the notification at hand not among them.
  public var count: Int
  /// When the oldest of them leaves that time, which makes room for one.
  public var freesAt: Date
  /// Whether the notification at hand was counted, because another of its channels was let through before.
  public var isCounted: Bool

  public init(count: Int, freesAt: Date, isCounted: Bool = false) {
    self.count = count
    self.freesAt = freesAt
    self.isCounted = isCounted
  }
}
