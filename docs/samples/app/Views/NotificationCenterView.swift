// Written for iOS 17. Not compiled for Apple on Linux: there it is type-checked against Tests/AppleDeclarations/SwiftUI.

import BelfryClient
import SwiftUI

/// The notification centre: tabs, a line about the connection, the list, and the undo bar.
struct NotificationCenterView: View {
  @Bindable var account: Account
  @Bindable var center: NotificationCenterModel
  @Environment(\.dismiss) private var dismiss

  init(account: Account) {
    self.account = account
    center = account.center
  }

  var body: some View {
    NavigationStack(path: $account.path) {
      VStack(spacing: 0) {
        tabs
        if let banner = ListBanner(center) { bannerView(banner) }
        NotificationList(account: account)
      }
      .navigationTitle("Notifications")
      .navigationBarTitleDisplayMode(.inline)
      .toolbar {
        ToolbarItem(placement: .topBarLeading) {
          Button("Read all") {
            Task { await center.markAllAsRead() }
          }
          .disabled((center.unreadCount ?? 0) == 0)
          .accessibilityLabel("Mark all as read")
        }
        ToolbarItem(placement: .topBarTrailing) {
          Button("Done") { dismiss() }
        }
      }
      .navigationDestination(for: BelfryNotification.self) { notification in
        NotificationDetail(notification: notification, account: account)
      }
      .safeAreaInset(edge: .bottom) { UndoBar(model: center) }
    }
  }

  private var tabs: some View {
    // Setting the model's filter reads that list.
    Picker("Show", selection: $center.filter) {
      ForEach(center.tabs) { tab in
        Text(tab.title).tag(tab.filter)
      }
    }
    .pickerStyle(.segmented)
    .padding()
  }

  private func bannerView(_ banner: ListBanner) -> some View {
    HStack {
      Text(banner.text).font(.footnote)
      Spacer()
      if banner.canRetry {
        Button("Try again") {
          Task { await account.tryAgain() }
        }
        .font(.footnote)
      }
    }
    .padding(.horizontal)
    .padding(.bottom, 8)
    .accessibilityElement(children: .combine)
  }
}
