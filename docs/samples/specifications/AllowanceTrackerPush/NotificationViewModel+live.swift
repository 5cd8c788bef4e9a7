import BelfryClient
import Foundation

/// Beyond the specification, whose app learns of new notifications when it loads the list.
extension NotificationViewModel {
  /// Keeps the newest page and the count in step with the server, until the client's user signs out or the task is cancelled.
  ///
  /// In a view: `.task { await viewModel.follow(client) }`.
  func follow(_ client: BelfryClient) async {
    let changes = await client.changes
    for await _ in changes { await reloadNewestPage() }
  }

  func reloadNewestPage() async {
    do {
      let page: NotificationListResponse = try await apiService.get(
        endpoint: "/api/v1/notifications",
        queryParams: ["page": "1", "pageSize": "\(pageSize)"]
      )
      let known = Set(page.notifications.map(\.id))
      let older = notifications.filter { notification in
        guard page.hasMore, let last = page.notifications.last else { return false }
        return notification.createdAt <= last.createdAt && !known.contains(notification.id)
      }
      notifications = page.notifications + older
      unreadCount = page.unreadCount
    } catch {
      show(error)
    }
  }
}
