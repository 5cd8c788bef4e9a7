// Written for iOS 17. Not compiled for Apple on Linux: there it is type-checked against Tests/AppleDeclarations/SwiftUI.

import BelfryClient
import SwiftUI

/// An opened notification. While it is there, no push about the same entity comes.
struct NotificationDetail: View {
  let notification: BelfryNotification
  let account: Account

  var body: some View {
    let row = NotificationRow(notification)
    List {
      Section {
        Text(row.title).font(.headline)
        Text(row.body)
        Text(row.time).font(.caption).foregroundStyle(Color.secondary)
      }
      Section { NotificationActions(notification: notification, model: account.center) }
      if let entity = notification.relatedEntity {
        Section {
          Menu("Mute what this is about") {
            ForEach(TimeChoice.pause()) { choice in
              Button(choice.title) {
                Task { await account.preferences.mute(entity, until: choice.date) }
              }
            }
            Button("Until I unmute it") {
              Task { await account.preferences.mute(entity) }
            }
          }
        }
      }
    }
    .navigationTitle(row.title)
    .navigationBarTitleDisplayMode(.inline)
    .task { await account.open(notification) }
    .belfryViewing(account.client, notification.relatedEntity)
  }
}
