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
        ToolbarItem(placement: .topBarTrailing) { categories }
        ToolbarItem(placement: .topBarTrailing) {
          Button("Done") { dismiss() }
        }
      }
      .navigationDestination(for: BelfryNotification.self) { notification in
        NotificationDetail(notification: notification, account: account)
      }
      .safeAreaInset(edge: .bottom) { UndoBar(model: center) }
      .task { await loadCategories() }
    }
  }

  private var tabs: some View {
    Picker("Show", selection: $center.tab) {
      ForEach(center.tabs) { tab in
        Text(tab.title).tag(tab.id)
      }
    }
    .pickerStyle(.segmented)
    .padding()
  }

  /// The headings are those of the preferences.
  private var categories: some View {
    Menu("Category") {
      Picker("Category", selection: $center.category) {
        Text("All").tag(String?.none)
        ForEach(account.preferences.preferences?.categories ?? [], id: \.category) { category in
          Text(category.category).tag(String?.some(category.category))
        }
      }
    }
  }

  private func loadCategories() async {
    if account.preferences.preferences == nil { await account.preferences.load() }
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
