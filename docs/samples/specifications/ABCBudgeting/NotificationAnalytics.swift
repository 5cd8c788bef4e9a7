import Foundation

/// What the app's own analytics are told. Belfry's statistics have the rates for themselves, from the reports of
/// ``NotificationActionHandler`` and of the permission.
@MainActor
enum NotificationAnalytics {
  /// The app's `Analytics.track`.
  static var track: @MainActor (_ event: String, _ parameters: [String: String]) -> Void = { _, _ in }

  static func trackPermissionRequested() {
    track("notification_permission_requested", [:])
  }

  static func trackPermissionGranted() {
    track("notification_permission_granted", [:])
  }

  static func trackNotificationSent(_ type: NotificationType) {
    track("notification_sent", parameters(type))
  }

  static func trackNotificationOpened(_ type: NotificationType) {
    track("notification_opened", parameters(type))
  }

  static func trackNotificationAction(_ action: String, type: NotificationType) {
    track("notification_action", parameters(type).merging(["action": action]) { $1 })
  }

  private static func parameters(_ type: NotificationType) -> [String: String] {
    ["type": type.rawValue, "timestamp": String(Date().timeIntervalSince1970)]
  }
}
