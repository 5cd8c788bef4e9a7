import BelfryClient

/// What the user can do to a notification in the list.
enum RowAction: String, Sendable, CaseIterable, Identifiable {
  case markAsRead, markAsUnread, archive, unarchive, snooze, delete

  var id: Self { self }

  var title: String {
    switch self {
    case .markAsRead: "Mark as read"
    case .markAsUnread: "Mark as unread"
    case .archive: "Archive"
    case .unarchive: "To inbox"
    case .snooze: "Snooze"
    case .delete: "Delete"
    }
  }

  /// A name of SF Symbols.
  var image: String {
    switch self {
    case .markAsRead: "envelope.open"
    case .markAsUnread: "envelope.badge"
    case .archive: "archivebox"
    case .unarchive: "tray.and.arrow.up"
    case .snooze: "clock"
    case .delete: "trash"
    }
  }

  /// By a swipe from the leading edge; the first one by a full swipe.
  static func leading(_ notification: BelfryNotification) -> [RowAction] {
    [notification.isRead ? .markAsUnread : .markAsRead]
  }

  /// By a swipe from the trailing edge; the first one by a full swipe. That is no deletion: there is an undo, but only for seconds.
  static func trailing(_ notification: BelfryNotification) -> [RowAction] {
    switch notification.place {
    case .inbox: [.archive, .snooze, .delete]
    case .archived: [.unarchive, .delete]
    // The model cannot bring it back before its time.
    case .snoozed: [.archive, .delete]
    }
  }

  /// Carries it out; a snooze asks for a time before.
  @MainActor
  func perform(_ id: BelfryNotification.ID, _ model: NotificationCenterModel) async {
    switch self {
    case .markAsRead: await model.markAsRead(id)
    case .markAsUnread: await model.markAsUnread(id)
    case .archive: await model.archive(id)
    case .unarchive: await model.unarchive(id)
    case .delete: await model.delete(id)
    case .snooze: break
    }
  }
}
