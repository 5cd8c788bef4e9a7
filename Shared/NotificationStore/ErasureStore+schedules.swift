import Foundation
import JSON
import NotificationModel
import Postgres

/// Schedules and waiting sends that name a user.
extension ErasureStore {
  /// Takes the user out of whom they are told to and who is left out; those that then name nobody go.
  ///
  /// A text that has the user's id elsewhere (in `data`, or as what it is about) is its sender's and stays as it is.
  static func forget(
    _ user: UserID,
    inSchedulesOf transaction: PostgresTransaction,
    at now: Date,
    _ counts: inout Counts
  ) async throws {
    var statements: [SQLQuery] = []
    var emptied = 0
    for row in try await transaction.query(schedules(naming: user)) {
      let id: UUID = try row.get(0)
      let definition: String = try row.get(1)
      switch Rewriting(definition, without: user) {
      case .untouched: continue
      case .rewritten(let text):
        counts.schedulesRewritten += 1
        statements.append(
          """
          UPDATE schedules SET definition = \(text), version = version + 1, updated_at = \(now)
          WHERE id = \(id)
          """
        )
      case .emptied:
        emptied += 1
        statements.append("DELETE FROM schedules WHERE id = \(id)")
      }
    }
    if emptied > 0 { counts.deleted["schedules"] = emptied }
    if !statements.isEmpty { _ = try await transaction.queries(statements) }
  }

  /// Locked in the order of their ids, each found by its own.
  static func schedules(naming user: UserID) -> SQLQuery {
    """
    SELECT s.id, s.definition
    FROM (SELECT schedule_id FROM schedule_users WHERE user_id = \(user) ORDER BY schedule_id OFFSET 0) u
      CROSS JOIN LATERAL (SELECT id, definition FROM schedules WHERE id = u.schedule_id FOR UPDATE) s
    """
  }

  /// What becomes of a definition when a user is taken out of it. Pure.
  enum Rewriting: Equatable {
    case untouched
    case rewritten(String)
    /// Nobody is left to tell.
    case emptied

    init(_ definition: String, without user: UserID) {
      // It was read before it was stored; what cannot be read names nobody.
      guard let json = try? JSONParser.parse(Array(definition.utf8)), case .object(let members) = json else {
        self = .untouched
        return
      }
      var isEmptied = false
      let rewritten = members.map { member in
        guard member.name == "to", case .object(let audience) = member.value else { return member }
        let kept = audience.map { field in
          guard field.name == "users" || field.name == "except", case .array(let people) = field.value else {
            return field
          }
          let rest = people.filter { $0.string.flatMap { UserID($0) } != user }
          if field.name == "users", rest.isEmpty, !people.isEmpty { isEmptied = true }
          return JSONMember(name: field.name, value: .array(rest), range: field.range)
        }
        return JSONMember(name: member.name, value: .object(kept), range: member.range)
      }
      if isEmptied {
        self = .emptied
      } else {
        self = rewritten == members ? .untouched : .rewritten(JSONWriter.text(.object(rewritten)))
      }
    }
  }
}
