import NotificationModel
import Postgres

extension ExportPart {
  /// `presence`: what is on the screen of each connection.
  static let presence = ExportPart(
    "presence",
    of: "presence",
    leftOut: [
      "node"  // which of our machines has the connection
    ]
  ) { user, after, limit in
    """
    SELECT connection_id, entity_type, entity_id FROM presence
    WHERE user_id = \(user) AND connection_id > \(try after?.get("connection_id", as: String.self) ?? "")
    ORDER BY connection_id LIMIT \(limit)
    """
  } write: { fields in
    try fields.text("connectionId", "connection_id")
    try fields.text("entityType", "entity_type")
    try fields.text("entityId", "entity_id")
  }
}
