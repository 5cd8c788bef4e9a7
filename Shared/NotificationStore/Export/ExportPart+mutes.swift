import NotificationModel
import Postgres

extension ExportPart {
  /// `mutes`
  static let mutes = ExportPart("muted", of: "mutes") { user, after, limit in
    """
    SELECT entity_type, entity_id, until FROM mutes
    WHERE user_id = \(user)
      AND (entity_type, entity_id) > (\(try after?.get("entity_type", as: String.self) ?? ""),
        \(try after?.get("entity_id", as: String.self) ?? ""))
    ORDER BY entity_type, entity_id LIMIT \(limit)
    """
  } write: { fields in
    try fields.text("entityType", "entity_type")
    try fields.text("entityId", "entity_id")
    try fields.time("until", "until")
  }
}
