import NotificationModel
import NotificationStore

/// Keeps notifications: what routing needs of ``NotificationStore``.
protocol NotificationStoring: Sendable {
  /// Stores what is not stored yet; one result per notification, in the same order.
  func store(
    _ notifications: [NewNotification],
    contents: [NotificationContent]
  ) async throws -> [StoredNotification]
}

extension NotificationStore: NotificationStoring {}
