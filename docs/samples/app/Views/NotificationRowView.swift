// Written for iOS 17. Not compiled for Apple on Linux: there it is type-checked against Tests/AppleDeclarations/SwiftUI.

import BelfryClient
import SwiftUI

/// A row of the list: a dot and the texts.
struct NotificationRowView: View {
  let notification: BelfryNotification
  let model: NotificationCenterModel

  var body: some View {
    let row = NotificationRow(notification)
    VStack(alignment: .leading, spacing: 4) {
      HStack(alignment: .firstTextBaseline) {
        if row.isUnread { Circle().fill(Color.accentColor).frame(width: 8, height: 8) }
        Text(row.title).font(.headline).lineLimit(1)
        if row.isUrgent { Image(systemName: "exclamationmark.circle") }
        Spacer()
        Text(row.time).font(.caption).foregroundStyle(Color.secondary)
      }
      Text(row.body).font(.subheadline).lineLimit(3)
      if let note = row.note { Text(note).font(.caption).foregroundStyle(Color.secondary) }
    }
    .accessibilityElement(children: .ignore)
    .accessibilityLabel(row.accessibilityLabel)
  }
}

/// The buttons that the catalogue gives a notification.
struct NotificationActions: View {
  let notification: BelfryNotification
  let model: NotificationCenterModel

  var body: some View {
    ForEach(notification.actions) { action in
      Button(action.title) {
        Task { await model.perform(action, of: notification.id) }
      }
    }
  }
}
