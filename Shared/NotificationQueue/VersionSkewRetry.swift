public import Broker
public import Foundation
import NotificationModel

/// How long a message is tried again that a service of another catalogue, or of a later version, wrote: in a rolling restart
/// they disagree for a while. Pure.
public struct VersionSkewRetry: Sendable {
  /// From the acceptance.
  public var limit: Duration
  /// Between two attempts.
  public var pause: Duration = .seconds(5)

  public init(limit: Duration = .seconds(600)) {
    self.limit = limit
  }

  /// Whether a message is to be tried once more. One that does not say when it was accepted is not.
  public func applies(to message: BrokerMessage, now: Date) -> Bool {
    guard let accepted = message.timestamp ?? message.messageID.flatMap({ RequestID($0)?.time }) else { return false }
    // Clocks differ a little; what is of another age altogether says nothing.
    return abs(now.timeIntervalSince(accepted)) < limit / .seconds(1)
  }
}
