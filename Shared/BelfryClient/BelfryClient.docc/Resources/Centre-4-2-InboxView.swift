import BelfryClient
import SwiftUI

struct InboxView: View {
  let center: NotificationCenterModel

  var body: some View {
    List {
      ForEach(center.notifications) { notification in
        Button {
          Task {
            await center.opened(notification.id)
            await center.markAsRead(notification.id)
          }
        } label: {
          InboxRow(notification: notification)
        }
        .onAppear { Task { await center.markAsSeen(notification.id) } }
        .swipeActions {
          Button("Delete", role: .destructive) { Task { await center.delete(notification.id) } }
          Button("Archive") { Task { await center.archive(notification.id) } }
        }
      }
      if center.hasMore {
        ProgressView()
          .task(id: center.notifications.count) { await center.loadMore() }
      }
    }
    .navigationTitle("Notifications")
    .refreshable { await center.refresh() }
    .overlay {
      if center.isLoaded, center.notifications.isEmpty {
        ContentUnavailableView("Nothing new", systemImage: "bell", description: nil)
      } else if !center.isLoaded, let error = center.error {
        ContentUnavailableView("Not there yet", systemImage: "bell.slash", description: Text(error.inWords))
      }
    }
  }
}

struct InboxRow: View {
  let notification: BelfryNotification

  var body: some View {
    VStack(alignment: .leading) {
      Text(notification.title).font(notification.isRead ? .subheadline : .headline)
      Text(notification.body)
      Text(notification.createdAt.formatted(date: .abbreviated, time: .shortened)).font(.caption)
    }
  }
}

extension BelfryError {
  /// For the app's user.
  var inWords: String {
    switch code {
    case .offline: "You are offline."
    case .unauthorized: "Sign in again."
    default: "Something went wrong. The app tries again."
    }
  }
}
