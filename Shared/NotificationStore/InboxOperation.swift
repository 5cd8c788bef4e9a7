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
}

/// What each operation is in SQL. `moment` has `now`, and `until` of what is snoozed.
extension InboxOperation {
  /// Until when it stays away.
  var until: Date? { if case .snooze(let until) = self { until } else { nil } }

  /// The rows that it changes, among those that are named; whatever is as it asks for already is none of them.
  var condition: String {
    switch self {
    case .read: "in_app IN (0, 18, 19) AND read_at IS NULL"
    case .unread: "in_app IN (0, 18, 19) AND read_at IS NOT NULL"
    case .seen: "in_app IN (0, 18, 19) AND read_at IS NULL AND seen_at IS NULL"
    case .opened: "in_app IN (0, 18, 19) AND opened_at IS NULL"
    case .delete: "in_app IN (0, 18, 19)"
    case .archive: "in_app IN (0, 19)"
    case .unarchive: "in_app = 18"
    case .snooze: "in_app IN (0, 18, 19) AND snoozed_until IS DISTINCT FROM (SELECT until FROM moment)"
    case .wake: "in_app = 19"
    case .wakeWhenDue: "in_app = 19 AND snoozed_until <= (SELECT now FROM moment)"
    }
  }

  /// Those of the inbox that are meant where none is named.
  var all: String {
    switch self {
    case .read: "in_app = 0 AND read_at IS NULL"
    case .seen: "in_app = 0 AND read_at IS NULL AND seen_at IS NULL"
    case .delete: "in_app = 0 AND read_at IS NOT NULL"
    case .unread, .opened, .archive, .unarchive, .snooze, .wake, .wakeWhenDue: "false"
    }
  }

  /// What was read before `seen_at` was there has none: it was seen when it was read.
  var assignments: String {
    switch self {
    case .read: "read_at = (SELECT now FROM moment), seen_at = coalesce(seen_at, (SELECT now FROM moment))"
    case .unread: "read_at = NULL, seen_at = coalesce(seen_at, read_at)"
    case .seen: "seen_at = (SELECT now FROM moment)"
    case .opened: "opened_at = (SELECT now FROM moment), seen_at = coalesce(seen_at, read_at, (SELECT now FROM moment))"
    case .delete: "in_app = 13, snoozed_until = NULL"
    case .archive: "in_app = 18, archived_at = (SELECT now FROM moment), snoozed_until = NULL"
    case .unarchive: "in_app = 0, archived_at = NULL"
    case .snooze: "in_app = 19, snoozed_until = (SELECT until FROM moment), archived_at = NULL"
    case .wake, .wakeWhenDue: "in_app = 0, read_at = NULL, seen_at = NULL, snoozed_until = NULL"
    }
  }
}
