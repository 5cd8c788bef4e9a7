import BelfryJSON
import NotificationModel
import Postgres
import WallClock

extension ExportPart {
  /// `notifications`, also those that left the inbox or never were in it, with what was decided on each channel.
  static let notifications = ExportPart(
    "notifications",
    of: "notifications",
    leftOut: [
      "request_owner",  // who sent it is the sender's
      "is_late",  // how it is indexed
    ]
  ) { user, after, limit in
    """
    SELECT id, request_id, type, title, body, data, related_type, related_id, in_app, push, email, decisions, seq,
      created_at, expires_at, read_at, seen_at, opened_at, archived_at, snoozed_until
    FROM notifications WHERE user_id = \(user) AND id > \(try after?.get("id") ?? NotificationID(.beforeAll))
    ORDER BY id LIMIT \(limit)
    """
  } write: { fields in
    try fields.identifier("id", "id")
    try fields.identifier("requestId", "request_id")
    try fields.type("type", "type")
    try fields.text("title", "title")
    try fields.text("body", "body")
    try fields.json("data", "data")
    try fields.text("relatedEntityType", "related_type")
    try fields.text("relatedEntityId", "related_id")
    let plan = try RoutingPlan(fields.row)
    let lines = Explanation(stored: plan, now: try fields.row.get("created_at")).lines
    fields.add("channels", .array(lines.map { $0.json(named: fields.name(of: $0.channel)) }))
    try fields.integer("seq", "seq")
    try fields.time("createdAt", "created_at")
    try fields.time("expiresAt", "expires_at")
    try fields.time("readAt", "read_at")
    try fields.time("seenAt", "seen_at")
    try fields.time("openedAt", "opened_at")
    try fields.time("archivedAt", "archived_at")
    try fields.time("snoozedUntil", "snoozed_until")
  }
}

extension Explanation.Line {
  fileprivate func json(named name: String) -> JSONValue {
    .object([
      JSONMember("channel", channel.rawValue),
      JSONMember("channelName", name),
      JSONMember("decision", verb),
      JSONMember("reason", reason),
      JSONMember("until", until?.rfc3339),
    ])
  }
}
