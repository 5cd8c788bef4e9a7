import Broker
import Foundation
import NotificationModel

/// How long a message is tried again that a gateway, or another router, accepted by a catalogue that this router does not
/// have: in a rolling restart they disagree for a while. Pure.
struct Patience: Sendable {
  /// From the acceptance.
  var limit: Duration = .seconds(600)
  /// Between two attempts.
  var pause: Duration = .seconds(5)

  /// Whether a message is to be tried once more. One that does not say when it was accepted is not.
  func lasts(for message: BrokerMessage, now: Date) -> Bool {
    guard let accepted = message.timestamp ?? message.messageID.flatMap({ RequestID($0)?.time }) else { return false }
    // Clocks differ a little; what is of another age altogether says nothing.
    return abs(now.timeIntervalSince(accepted)) < limit / .seconds(1)
  }
}
