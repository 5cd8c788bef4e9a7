import Foundation
import BelfryJSON
import NotificationModel
import Postgres

extension ExportPart {
  /// `schedule_users`: schedules and waiting sends that name the user. Who is notified has what is sent, without whom else; who
  /// is left out, or only stands in a text of it, has that it is so: what it says is between others.
  ///
  /// A definition has up to 256 KiB, so fewer come at once. Of one that is gone by now nothing is exported.
  static let schedules = ExportPart("schedules", of: "schedule_users", perPage: 20) { user, after, limit in
    """
    SELECT u.user_id, u.schedule_id, s.key, s.definition, s.next_at, s.created_at, s.updated_at
    FROM (
      SELECT user_id, schedule_id FROM schedule_users
      WHERE user_id = \(user) AND schedule_id > \(try after?.get("schedule_id", as: UUID.self) ?? .beforeAll)
      ORDER BY schedule_id LIMIT \(limit)
    ) u
      LEFT JOIN LATERAL (
        SELECT key, definition, next_at, created_at, updated_at FROM schedules WHERE id = u.schedule_id OFFSET 0
      ) s ON true
    """
  } write: { fields in
    guard let text: String = try fields.row.get("definition") else { return }
    // Of one that cannot be read nobody's part is known: then its id and times are exported.
    let definition = try? JSONParser.parse(Array(text.utf8))
    let role = ScheduleRole(of: try fields.row.get("user_id"), in: definition)
    try fields.identifier("id", "schedule_id")
    fields.add("role", .string(role.rawValue))
    try fields.time("createdAt", "created_at")
    try fields.time("updatedAt", "updated_at")
    guard role == .told else { return }
    try fields.text("key", "key")
    try fields.time("nextLookAt", "next_at")
    fields.add("definition", .object((definition?.members ?? []).filter { $0.name != "to" }))
  }
}

/// What somebody is to a schedule that has their id.
enum ScheduleRole: String {
  case told, leftOut, mentioned

  /// - Parameter definition: Nil if it is no JSON, which nothing that was accepted is.
  init(of user: UserID, in definition: JSONValue?) {
    func names(_ list: String) -> Bool {
      definition?["to"]?[list]?.array?.contains { $0.string.flatMap { UserID($0) } == user } ?? false
    }
    self = names("except") ? .leftOut : names("users") ? .told : .mentioned
  }
}
