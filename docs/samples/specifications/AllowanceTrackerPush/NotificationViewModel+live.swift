import BelfryClient
import Foundation

/// Beyond the specification, whose app learns of new notifications when it loads the list.
extension NotificationViewModel {
  /// Keeps list and count in step with the client, until its user signs out or the task is cancelled.
  ///
  /// In a view: `.task { await viewModel.follow(client) }`.
  func follow(_ client: BelfryClient) async {
    let (changes, counts) = (client.changes, client.unreadCounts)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for await change in changes { await self.take(change) } }
      group.addTask { for await count in counts { await self.take(unreadCount: count) } }
    }
  }

  func take(_ change: InboxChange) async {
    switch change {
    case .changed(let notification): take(notification)
    case .removed(let id): notifications.removeAll { $0.id == id }
    case .reloaded: await loadNotifications(refresh: true)
    }
  }

  private func take(unreadCount: Int) {
    self.unreadCount = unreadCount
  }

  /// Shows a new one, or what became of one. Those of pages that were not loaded stay there.
  private func take(_ notification: BelfryNotification) {
    let index = notifications.firstIndex { $0.id == notification.id }
    guard let model = NotificationModel(notification), notification.place == .inbox else {
      if let index { notifications.remove(at: index) }
      return
    }
    if let index {
      notifications[index] = model
    } else if let older = notifications.firstIndex(where: { $0.createdAt <= model.createdAt }) {
      notifications.insert(model, at: older)
    } else if !hasMore || notifications.isEmpty {
      notifications.append(model)
    }
  }
}

extension NotificationModel {
  /// Nil of a type that this version of the app does not know.
  init?(_ notification: BelfryNotification) {
    guard let type = NotificationType(rawValue: notification.type) else { return nil }
    self.init(
      id: notification.id,
      type: type,
      typeName: notification.typeName,
      title: notification.title,
      body: notification.body,
      data: notification.data,
      isRead: notification.isRead,
      readAt: notification.readAt,
      createdAt: notification.createdAt,
      relatedEntityType: notification.relatedEntityType,
      relatedEntityId: notification.relatedEntityId.flatMap(UUID.init(uuidString:)),
      timeAgo: notification.timeAgo
    )
  }
}
