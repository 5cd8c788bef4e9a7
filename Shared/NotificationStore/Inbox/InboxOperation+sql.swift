import NotificationModel

/// An operation as SQL: the lines of its statement that no other operation has. ``InboxStatement`` has the others.
struct InboxOperationSQL {
  /// What becomes of the rows of `snoozes`.
  enum Snoozes {
    case unchanged
    /// Each notification gets one, or another time.
    case put
    /// Those of the notifications that were snoozed go.
    case removed
  }

  /// The rows that it changes, among those that are named; whatever is as it asks for already is none of them.
  var condition: String
  /// Those of the inbox that are meant where none is named; nil means none.
  var all: String?
  /// What it changes of them.
  var assignments: String
  var snoozes = Snoozes.unchanged
}

extension InboxOperation {
  var sql: InboxOperationSQL {
    let (now, until) = (InboxStatement.now, InboxStatement.until)
    let (kept, inbox) = ("in_app IN \(InboxState.kept.sql)", "in_app = \(InboxState.inbox.sql)")
    let (archived, snoozed) = ("in_app = \(InboxState.archived.sql)", "in_app = \(InboxState.snoozed.sql)")
    return switch self {
    case .read:
      .init(
        condition: "\(kept) AND read_at IS NULL",
        all: "\(inbox) AND read_at IS NULL",
        assignments: "read_at = \(now), seen_at = coalesce(seen_at, \(now))"
      )
    case .unread:
      // What was read before `seen_at` was there has none: it was seen when it was read.
      .init(
        condition: "\(kept) AND read_at IS NOT NULL",
        assignments: "read_at = NULL, seen_at = coalesce(seen_at, read_at)"
      )
    case .seen:
      .init(
        condition: "\(kept) AND read_at IS NULL AND seen_at IS NULL",
        all: "\(inbox) AND read_at IS NULL AND seen_at IS NULL",
        assignments: "seen_at = \(now)"
      )
    case .opened:
      .init(
        condition: "\(kept) AND opened_at IS NULL",
        assignments: "opened_at = \(now), seen_at = coalesce(seen_at, read_at, \(now))"
      )
    case .delete:
      .init(
        condition: kept,
        all: "\(inbox) AND read_at IS NOT NULL",
        assignments: "in_app = \(InboxState.deleted.sql), snoozed_until = NULL",
        snoozes: .removed
      )
    case .archive:
      .init(
        condition: "in_app IN \([InboxState.inbox, .snoozed].sql)",
        assignments: "\(archived), archived_at = \(now), snoozed_until = NULL",
        snoozes: .removed
      )
    case .unarchive:
      .init(condition: archived, assignments: "\(inbox), archived_at = NULL")
    case .snooze:
      .init(
        condition: "\(kept) AND snoozed_until IS DISTINCT FROM \(until)",
        assignments: "\(snoozed), snoozed_until = \(until), archived_at = NULL",
        snoozes: .put
      )
    case .wake:
      .init(condition: snoozed, assignments: Self.asNew, snoozes: .removed)
    case .wakeWhenDue:
      .init(condition: "\(snoozed) AND snoozed_until <= \(now)", assignments: Self.asNew, snoozes: .removed)
    }
  }

  /// Back in the inbox, unread and unseen.
  private static var asNew: String {
    "in_app = \(InboxState.inbox.sql), read_at = NULL, seen_at = NULL, snoozed_until = NULL"
  }
}
