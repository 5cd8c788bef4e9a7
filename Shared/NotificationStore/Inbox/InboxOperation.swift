public import Foundation

/// What becomes of notifications that were told: by their user, or by the time.
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

  /// Until when it stays away.
  var until: Date? { if case .snooze(let until) = self { until } else { nil } }
}
