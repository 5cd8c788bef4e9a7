// Written for iOS 17. Not compiled for Apple on Linux: there it is type-checked against Tests/AppleDeclarations/SwiftUI.

import BelfryClient
import SwiftUI

/// The list by days, or what is there instead of it.
struct NotificationList: View {
  let account: Account
  @State private var snoozed: BelfryNotification?
  @State private var isSnoozing = false

  private var model: NotificationCenterModel { account.center }

  var body: some View {
    List {
      ForEach(DaySection.sections(model.notifications)) { section in
        Section(section.title) {
          ForEach(section.notifications) { notification in
            row(notification)
          }
        }
      }
      if model.hasMore { more }
    }
    .listStyle(.plain)
    .overlay { placeholder }
    .refreshable { await account.center.refresh() }
    .confirmationDialog("Snooze", isPresented: $isSnoozing, presenting: snoozed) { notification in
      ForEach(TimeChoice.snooze()) { choice in
        Button(choice.title) {
          Task { await model.snooze(notification.id, until: choice.date) }
        }
      }
    }
  }

  private func row(_ notification: BelfryNotification) -> some View {
    NavigationLink(value: notification) {
      NotificationRowView(notification: notification, model: model)
    }
    .contextMenu { NotificationActions(notification: notification, model: model) }
    .swipeActions(edge: .leading) { buttons(RowAction.leading(notification), notification) }
    .swipeActions(edge: .trailing) { buttons(RowAction.trailing(notification), notification) }
    .task { await model.markAsSeen(notification.id) }
  }

  private func buttons(_ actions: [RowAction], _ notification: BelfryNotification) -> some View {
    ForEach(actions) { action in
      Button(role: action == .delete ? .destructive : nil) {
        if action == .snooze {
          snoozed = notification
          isSnoozing = true
        } else {
          Task { await action.perform(notification.id, model) }
        }
      } label: {
        Label(action.title, systemImage: action.image)
      }
    }
  }

  /// Comes into view at the list's end, and reads the next page.
  private var more: some View {
    ProgressView()
      .frame(maxWidth: .infinity)
      // Another id after each page, so that the task runs again while it stays in view.
      .task(id: model.notifications.count) { await model.loadMore() }
      .accessibilityLabel("Loading more")
  }

  @ViewBuilder private var placeholder: some View {
    switch ListState(model) {
    case .list: EmptyView()
    case .loading: ProgressView("Loading")
    case .empty(let texts): placeholder(texts)
    case .failed(let texts): placeholder(texts)
    }
  }

  private func placeholder(_ texts: ListState.Placeholder) -> some View {
    ContentUnavailableView(texts.title, systemImage: texts.image, description: Text(texts.text))
  }
}
