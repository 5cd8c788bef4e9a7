import JSON
import NotificationModel
import Postgres

extension ExportPart {
  /// `preferences`: choices for types. Of a row only what was chosen is its user's; the rest held when it was written.
  static let preferences = ExportPart("preferences", of: "preferences") { user, after, limit in
    """
    SELECT type, in_app, push, email, chosen, updated_at FROM preferences
    WHERE user_id = \(user) AND type > \(try after?.get("type", as: Int.self) ?? Int(Int16.min) - 1)
    ORDER BY type LIMIT \(limit)
    """
  } tell: { fields in
    try fields.type("notificationType", "type")
    try fields.boolean("inAppEnabled", "in_app")
    try fields.boolean("pushEnabled", "push")
    try fields.boolean("emailEnabled", "email")
    let chosen: Int = try fields.row.get("chosen")
    let names = [Channel.inApp, .push, .email].enumerated().filter { chosen >> $0.offset & 1 == 1 }.map(\.element.name)
    fields.add("chosen", .array(names.map { .string($0) }))
    try fields.time("updatedAt", "updated_at")
  }

  /// `category_preferences`: choices for categories; null where none was made.
  static let categoryPreferences = ExportPart("categoryPreferences", of: "category_preferences") {
    user,
    after,
    limit in
    """
    SELECT category, in_app, push, email, updated_at FROM category_preferences
    WHERE user_id = \(user) AND category > \(try after?.get("category", as: String.self) ?? "")
    ORDER BY category LIMIT \(limit)
    """
  } tell: { fields in
    try fields.text("category", "category")
    try fields.boolean("inAppEnabled", "in_app")
    try fields.boolean("pushEnabled", "push")
    try fields.boolean("emailEnabled", "email")
    try fields.time("updatedAt", "updated_at")
  }
}
