import Foundation
import NotificationModel
import NotificationStore

/// A place in the delivery log.
extension DeliverySearch.Cursor {
  /// Nil for a text that no answer gave.
  init?(text: String) {
    guard
      let parts = OpaqueText.decoded(text)?.split(separator: "\n", omittingEmptySubsequences: false).map(String.init),
      parts.count == 5, let microseconds = Int(parts[0]), let user = UserID(parts[1]),
      let notification = NotificationID(parts[2]), let channel = Int16(parts[3]), !parts[4].hasControl()
    else { return nil }
    self.init(
      finishedAt: Date(timeIntervalSinceReferenceDate: Double(microseconds) / 1_000_000),
      user: user,
      notification: notification,
      channel: Channel(rawValue: Int(channel)),
      target: parts[4]
    )
  }

  /// As the database keeps it: no page may miss or repeat an outcome of the same millisecond.
  var text: String {
    let microseconds = Int((finishedAt.timeIntervalSinceReferenceDate * 1_000_000).rounded())
    return OpaqueText.encoded("\(microseconds)\n\(user)\n\(notification)\n\(channel.rawValue)\n\(target)")
  }
}
