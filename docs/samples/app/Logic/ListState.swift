import BelfryClient
import Foundation

/// What the list shows instead of notifications, and the line above it.
enum ListState: Sendable, Equatable {
  case loading
  case list
  case empty(Placeholder)
  /// Nothing could be read yet.
  case failed(Placeholder)

  struct Placeholder: Sendable, Equatable {
    let title: String
    let text: String
    /// A name of SF Symbols.
    let image: String
  }

  init(isEmpty: Bool, isLoaded: Bool, error: BelfryError?, filter: NotificationFilter) {
    if !isEmpty {
      self = .list
    } else if isLoaded {
      self = .empty(Self.placeholder(filter))
    } else if let error {
      let isOffline = error.code == .offline
      self = .failed(
        Placeholder(
          title: isOffline ? "Offline" : "Not loaded",
          text: error.userText,
          image: isOffline ? "wifi.slash" : "exclamationmark.triangle"
        )
      )
    } else {
      self = .loading
    }
  }

  @MainActor
  init(_ model: NotificationCenterModel) {
    self.init(
      isEmpty: model.notifications.isEmpty,
      isLoaded: model.isLoaded,
      error: model.error,
      filter: model.filter
    )
  }

  private static func placeholder(_ filter: NotificationFilter) -> Placeholder {
    switch filter.place {
    case .archived: Placeholder(title: "Nothing archived", text: "Swipe to archive.", image: "archivebox")
    case .snoozed: Placeholder(title: "Nothing snoozed", text: "Swipe to snooze.", image: "clock")
    case .inbox where filter.unreadOnly:
      Placeholder(title: "All read", text: "New notifications show up here.", image: "checkmark.circle")
    case .inbox: Placeholder(title: "No notifications", text: "New ones show up here.", image: "bell.slash")
    }
  }
}

/// A line above the list.
struct ListBanner: Sendable, Equatable {
  let text: String
  /// Whether it has a button that tries again.
  let canRetry: Bool

  /// Nil where there is nothing to say. A placeholder says an error of its own, so this one is for a list that is there.
  init?(_ state: ConnectionState, error: BelfryError?, isListed: Bool) {
    switch state {
    case .unauthorized:
      (text, canRetry) = ("Sign in again to see what is new.", true)
    case .reconnecting where isListed:
      (text, canRetry) = ("No connection. This may not be the latest.", false)
    case .disconnected, .connecting, .connected, .paused, .reconnecting:
      guard isListed, let error, error.code != .ended else { return nil }
      (text, canRetry) = (error.userText, error.isTemporary)
    }
  }

  @MainActor
  init?(_ model: NotificationCenterModel) {
    self.init(model.connectionState, error: model.error, isListed: !model.notifications.isEmpty)
  }
}

extension NotificationTab {
  /// What the tab is called; the app's own tabs by their ids.
  var title: String {
    switch id {
    case NotificationTab.all.id: "All"
    case NotificationTab.unread.id: "Unread"
    case NotificationTab.archived.id: "Archived"
    case NotificationTab.snoozed.id: "Snoozed"
    default: id.capitalized
    }
  }
}

/// The text of the undo bar.
enum UndoText {
  /// Nil where there is nothing to bring back.
  static func text(_ count: Int) -> String? {
    count == 0 ? nil : count == 1 ? "Deleted" : "\(count) deleted"
  }
}
