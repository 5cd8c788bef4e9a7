import NotificationModel
import Postgres

extension ExportPart {
  /// `unsubscriptions`: by the links in mails.
  static let unsubscriptions = ExportPart("unsubscriptions", of: "unsubscriptions") { user, after, limit in
    """
    SELECT category, unsubscribed_at, former::text AS former FROM unsubscriptions
    WHERE user_id = \(user) AND category > \(try after?.get("category", as: String.self) ?? "")
    ORDER BY category LIMIT \(limit)
    """
  } write: { fields in
    try fields.text("category", "category")
    try fields.time("unsubscribedAt", "unsubscribed_at")
    try fields.json("formerChoices", "former")
  }
}
