import NotificationModel
import NotificationStore

/// Keeps notifications: what routing needs of ``NotificationStore``.
protocol NotificationStoring: Sendable {
  /// Stores what is not stored yet; one result per notification, in the same order.
  func store(
    _ notifications: [NewNotification],
    contents: [NotificationContent]
  ) async throws -> [StoredNotification]

  /// Changes what was decided on a channel, where that is still what the caller knows; answers what it changed.
  func change(_ channel: Channel, of changes: [DecisionChange]) async throws -> Set<NotificationID>
}

extension NotificationStore: NotificationStoring {}
