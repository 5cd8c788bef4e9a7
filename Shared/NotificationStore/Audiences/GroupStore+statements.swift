import Foundation
import NotificationModel
import Postgres

extension GroupStore {
  /// Keeps a group to one writer at a time: of two replacements both lists could end up in it.
  static func lock(_ group: String) -> SQLQuery {
    "SELECT pg_advisory_xact_lock(hashtextextended(\(group), 1))"
  }

  /// No row if there is no such group.
  static func count(of group: String) -> SQLQuery {
    "SELECT members FROM groups WHERE group_id = \(group)"
  }

  /// Notes that a replacement of the group goes on after this transaction; there is no row to note it in where nobody is left.
  /// After the members were changed, in the order of all: whoever has the group's row waits for nobody's membership.
  static func begin(_ group: String) -> SQLQuery {
    "UPDATE groups SET replacement = gen_random_uuid() WHERE group_id = \(group) RETURNING replacement"
  }

  /// Ends the replacement that goes on, if there is one.
  static func end(of group: String) -> SQLQuery {
    "UPDATE groups SET replacement = NULL WHERE group_id = \(group) AND replacement IS NOT NULL"
  }

  /// The replacement that goes on; no row if there is no such group.
  static func replacement(of group: String) -> SQLQuery {
    "SELECT replacement FROM groups WHERE group_id = \(group)"
  }

  /// Two statements: with `$2 IS NULL OR …` each page would read the group from its start.
  static func members(of group: String, after: UserID?, limit: Int) -> SQLQuery {
    guard let after else {
      return "SELECT user_id FROM group_members WHERE group_id = \(group) ORDER BY user_id LIMIT \(limit)"
    }
    return """
      SELECT user_id FROM group_members WHERE group_id = \(group) AND user_id > \(after)
      ORDER BY user_id LIMIT \(limit)
      """
  }

  static func everyone(after: UserID?, limit: Int) -> SQLQuery {
    guard let after else { return "SELECT user_id FROM users ORDER BY user_id LIMIT \(limit)" }
    return "SELECT user_id FROM users WHERE user_id > \(after) ORDER BY user_id LIMIT \(limit)"
  }

  /// One statement: were it two, it would hold the group's count while it waits for a member that somebody else removes, who
  /// waits for the count. `NOT IN` is a look into a hash table however few members the planner expects, which an anti-join is not.
  static func replacing(_ group: String, members: [UserID], asked: Date) -> SQLQuery {
    """
    WITH given AS MATERIALIZED (
      SELECT user_id FROM unnest(\(members)) AS given(user_id) WHERE user_id NOT IN (\(erasedSince: asked))
    ), gone AS (
      DELETE FROM group_members WHERE group_id = \(group) AND user_id NOT IN (SELECT user_id FROM given)
    )
    INSERT INTO group_members (group_id, user_id) SELECT \(group), user_id FROM given ORDER BY user_id
    ON CONFLICT DO NOTHING
    """
  }

  static func adding(_ members: [UserID], to group: String, asked: Date) -> SQLQuery {
    """
    INSERT INTO group_members (group_id, user_id)
    SELECT \(group), user_id FROM unnest(\(members)) AS given(user_id) WHERE user_id NOT IN (\(erasedSince: asked))
    ORDER BY user_id
    ON CONFLICT DO NOTHING
    """
  }

  static func removing(_ members: [UserID], from group: String) -> SQLQuery {
    "DELETE FROM group_members WHERE group_id = \(group) AND user_id = ANY(\(members))"
  }
}

extension SQLQuery.StringInterpolation {
  /// Who was erased since somebody asked for what is written: nearly always nobody. An erasure waits for whoever does not see it.
  fileprivate mutating func appendInterpolation(erasedSince asked: Date) {
    appendLiteral("SELECT user_id FROM erased_users WHERE erased_at >= ")
    appendInterpolation(asked)
  }
}
