public import Foundation

/// What becomes of notifications that were sent: by their user, or by the time.
public enum InboxOperation: Sendable, Equatable {
  /// Reading is seeing.
  case read
  case unread
  case seen
  case opened
  case delete
  case archive
  /// Out of the archive, read or not as it went in.
  case unarchive
  /// Away until then, out of the archive too.
  case snooze(until: Date)
  /// Back in the inbox before its time, unread and unseen.
  case wake
  /// The same where its time has come.
  case wakeWhenDue

  /// What connections hear of a notification that it changed.
  enum Announcement {
    case read
    case deleted
    /// All of the notification, with the buttons in its user's language.
    case contents
  }

  var announcement: Announcement {
    switch self {
    case .read: .read
    case .delete: .deleted
    case .unread, .seen, .opened, .archive, .unarchive, .snooze, .wake, .wakeWhenDue: .contents
    }
  }

  /// Whether what is published of it depends on the user's language; see ``InboxStore/locale(of:catalogue:)``.
  public var sendsContents: Bool { announcement == .contents }

  /// Until when it stays away.
  var until: Date? { if case .snooze(let until) = self { until } else { nil } }
}
