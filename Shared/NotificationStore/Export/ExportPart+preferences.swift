import BelfryJSON
import NotificationModel
import Postgres

extension ExportPart {
  /// `preferences`: choices for types. Of a row only what was chosen is its user's; the rest held when it was written.
  static let preferences = ExportPart(
    "preferences",
    of: "preferences",
    leftOut: ["chosen"]  // the masks say it
  ) { user, after, limit in
    """
    SELECT type, in_app, push, email, \(unescaped: ChannelChoices.typeMasks), updated_at FROM preferences
    WHERE user_id = \(user) AND type > \(try after?.get("type", as: Int.self) ?? Int(Int16.min) - 1)
    ORDER BY type LIMIT \(limit)
    """
  } write: { fields in
    try fields.type("notificationType", "type")
    try fields.boolean("inAppEnabled", "in_app")
    try fields.boolean("pushEnabled", "push")
    try fields.boolean("emailEnabled", "email")
    let choices = try ChannelChoices(fields.row, at: 4)
    fields.further(choices)
    fields.add("chosen", .array(choices.channels.map { .string(fields.name(of: $0)) }))
    try fields.time("updatedAt", "updated_at")
  }

  /// `category_preferences`: choices for categories; null where none was made.
  static let categoryPreferences = ExportPart("categoryPreferences", of: "category_preferences") {
    user,
    after,
    limit in
    """
    SELECT category, in_app, push, email, \(unescaped: ChannelChoices.categoryMasks), updated_at FROM category_preferences
    WHERE user_id = \(user) AND category > \(try after?.get("category", as: String.self) ?? "")
    ORDER BY category LIMIT \(limit)
    """
  } write: { fields in
    try fields.text("category", "category")
    try fields.boolean("inAppEnabled", "in_app")
    try fields.boolean("pushEnabled", "push")
    try fields.boolean("emailEnabled", "email")
    fields.further(try ChannelChoices(fields.row, at: 4))
    try fields.time("updatedAt", "updated_at")
  }
}

extension ExportFields {
  /// What was chosen on channels that have no column.
  fileprivate mutating func further(_ choices: ChannelChoices) {
    for channel in choices.channels where ![.inApp, .push, .email].contains(channel) {
      add("\(name(of: channel))Enabled", .boolean(choices[channel] == true))
    }
  }
}
