import NotificationModel
import Postgres

extension ExportPart {
  /// `audit`: what was done to the user by others. They are found first, so that nobody walks through all entries in the order
  /// of their ids.
  static let audit = ExportPart(
    "audit",
    of: "audit",
    leftOut: [
      "actor", "request_id",  // who did it is theirs
      "detail",  // may be about others
      "subject",  // the user
    ]
  ) { user, after, limit in
    """
    SELECT id, at, action FROM (SELECT id, at, action FROM audit WHERE subject = \(user.description) OFFSET 0) a
    WHERE id > \(try after?.get("id", as: Int.self) ?? 0)
    ORDER BY id LIMIT \(limit)
    """
  } write: { fields in
    try fields.time("at", "at")
    try fields.text("action", "action")
  }
}
