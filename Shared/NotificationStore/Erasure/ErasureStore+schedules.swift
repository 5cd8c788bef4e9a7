import Foundation
import BelfryJSON
import NotificationModel
import Postgres

/// Schedules and waiting sends that name a user.
extension ErasureStore {
  /// Definitions that are in memory at once: each has up to 256 KiB.
  static let schedulesAtOnce = 20

  /// Takes the user out of whom they notify and who is left out; those that then name nobody go.
  ///
  /// A text that has the user's id elsewhere (in `data`, or as what it is about) is its sender's and stays as it is.
  static func forget(
    _ user: UserID,
    inSchedulesOf transaction: PostgresTransaction,
    _ counts: inout Counts
  ) async throws {
    var after: UUID?
    repeat {
      let named = try await transaction.query(schedules(naming: user, after: after))
      after = try named.last?.get("schedule_id", as: UUID.self)
      try await forget(user, in: named, of: transaction, &counts)
    } while after != nil
  }

  /// - Parameter named: What ``schedules(naming:after:)`` answered.
  private static func forget(
    _ user: UserID,
    in named: PostgresResult,
    of transaction: PostgresTransaction,
    _ counts: inout Counts
  ) async throws {
    var statements: [SQLQuery] = []
    for row in named {
      let id: UUID = try row.get("schedule_id")
      // Nil if somebody has deleted it since.
      guard let definition: String = try row.get("definition") else { continue }
      switch Rewriting(definition, without: user) {
      case .untouched: continue
      case .rewritten(let text):
        counts.schedulesRewritten += 1
        statements.append(
          """
          UPDATE schedules SET definition = \(text), version = version + 1, updated_at = clock_timestamp()
          WHERE id = \(id)
          """
        )
      case .emptied:
        counts.deleted["schedules", default: 0] += 1
        statements.append("DELETE FROM schedules WHERE id = \(id)")
      }
    }
    if !statements.isEmpty { _ = try await transaction.queries(statements) }
  }

  /// The next ``schedulesAtOnce``, locked in the order of their ids, each found by its own. One that is gone is returned
  /// without a definition, so that an empty answer is the end.
  static func schedules(naming user: UserID, after: UUID?) -> SQLQuery {
    """
    SELECT u.schedule_id, s.definition
    FROM (
      SELECT schedule_id FROM schedule_users WHERE user_id = \(user) AND schedule_id > \(after ?? .beforeAll)
      ORDER BY schedule_id LIMIT \(schedulesAtOnce)
    ) u
      LEFT JOIN LATERAL (SELECT definition FROM schedules WHERE id = u.schedule_id FOR UPDATE) s ON true
    """
  }

  /// A definition without those of whom it speaks that were erased since somebody asked for it; nil if nobody is left to
  /// notify.
  ///
  /// - Parameter erased: What ``erased(in:since:)`` answered.
  static func rewriting(_ definition: String, without erased: some Sequence<UserID>) -> String? {
    var definition = definition
    for user in erased {
      switch Rewriting(definition, without: user) {
      case .untouched: continue
      case .rewritten(let text): definition = text
      case .emptied: return nil
      }
    }
    return definition
  }

  /// From now on an erasure waits for this transaction, and what this transaction does not see as erased, the erasure will find.
  static let joinWriters: SQLQuery = "LOCK TABLE ONLY schedules IN ROW EXCLUSIVE MODE"

  /// Whom definitions name that were erased at the time given for each or later, by the definition's position from 1.
  static func erased(in definitions: [String], since times: [Date?]) -> SQLQuery {
    """
    SELECT d.position, e.user_id
    FROM unnest(\(definitions), \(times)) WITH ORDINALITY AS d(definition, asked_at, position)
      CROSS JOIN LATERAL (
        SELECT user_id FROM erased_users
        WHERE erased_at >= d.asked_at AND user_id IN (SELECT belfry_uuids(d.definition)) OFFSET 0
      ) e
    """
  }

  /// What becomes of a definition when a user is taken out of it. Pure.
  enum Rewriting: Equatable {
    case untouched
    case rewritten(String)
    /// Nobody is left to notify.
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
