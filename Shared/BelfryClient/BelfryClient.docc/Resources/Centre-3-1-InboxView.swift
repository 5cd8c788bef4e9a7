import BelfryClient
import SwiftUI

struct InboxView: View {
  let center: NotificationCenterModel

  var body: some View {
    List {
      ForEach(center.notifications) { notification in
        InboxRow(notification: notification)
      }
    }
    .navigationTitle("Notifications")
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
