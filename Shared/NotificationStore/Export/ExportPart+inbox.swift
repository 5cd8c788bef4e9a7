import NotificationModel
import Postgres

extension ExportPart {
  /// `inbox`: its counters.
  static let inbox = ExportPart("inbox", of: "inbox", isSingle: true) { user, _, _ in
    """
    SELECT unread, total, seen_unread, seq, last_id, change, lost_change, lost_seq FROM inbox WHERE user_id = \(user)
    """
  } write: { fields in
    try fields.integer("unreadCount", "unread")
    try fields.integer("totalCount", "total")
    try fields.integer("seenUnreadCount", "seen_unread")
    try fields.integer("seq", "seq")
    try fields.identifier("lastNotificationId", "last_id")
    try fields.integer("change", "change")
    try fields.integer("lostChange", "lost_change")
    try fields.integer("lostSeq", "lost_seq")
  }
}
