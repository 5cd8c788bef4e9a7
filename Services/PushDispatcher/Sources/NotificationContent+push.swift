import Foundation
import NotificationModel

/// What providers get of a notification beside its text, each in its own words. Pure.
extension NotificationContent {
  /// Whether it is for the device to show at once, whatever that costs its battery.
  var isPushedAtOnce: Bool { priority == .high || isUrgent }

  /// By what it replaces another on the device: what its sender says, else its own id, so that a repetition shows once.
  func replacementKey(or id: String) -> String { collapseKey ?? id }

  /// Whole seconds until it loses its meaning.
  ///
  /// - Parameter limit: As many as the provider takes at most.
  func timeToLive(from now: Date, atMost limit: Int) -> Int {
    min(max(0, Int(expiresAt.timeIntervalSince(now))), limit)
  }

  /// When it loses its meaning, in seconds since 1970.
  var expiry: Int { Int(expiresAt.timeIntervalSince1970) }
}
