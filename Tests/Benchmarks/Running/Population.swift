import NotificationModel
import Postgres
import UserIdentity

/// Users with a device each, all in one group; written straight into the tables.
struct Population: Sendable {
  /// Part of the users' ids and the devices' tokens.
  let name: String
  let group: String
  let count: Int
  /// The first of them by id, for single sends.
  let sample: [UserID]

  private static let step = 20_000

  /// - Parameters:
  ///   - name: Not that of any made before.
  ///   - sampleSize: At most so many are in ``sample``.
  static func make(
    _ count: Int,
    named name: String,
    sampleSize: Int = 500,
    in database: PostgresClient
  ) async throws -> Population {
    let group = "\(name):all"
    var made = 0
    while made < count {
      let (first, last) = (made + 1, min(made + step, count))
      _ = try await database.transaction([
        """
        INSERT INTO users (user_id, display_name, locale, timezone)
        SELECT md5(\(name) || ' user ' || i)::uuid, 'User ' || i, 'en', 'Europe/Berlin'
        FROM generate_series(\(first), \(last)) i
        """,
        """
        INSERT INTO devices (user_id, id, token, platform, name, app_version)
        SELECT md5(\(name) || ' user ' || i)::uuid, gen_random_uuid(), \(name) || '-' || i || ':' || repeat(md5('token ' || i), 4),
          (1 + i % 3)::int2, 'Phone', '1.0'
        FROM generate_series(\(first), \(last)) i
        """,
        """
        INSERT INTO group_members (group_id, user_id)
        SELECT \(group), md5(\(name) || ' user ' || i)::uuid FROM generate_series(\(first), \(last)) i
        """,
      ])
      made = last
      Progress.say("  … \(made) of \(count) users with a device (\(name))")
    }
    for table in ["users", "devices", "group_members"] {
      _ = try await database.query("VACUUM ANALYZE \(unescaped: table)")
    }
    let rows = try await database.query(
      "SELECT user_id FROM group_members WHERE group_id = \(group) ORDER BY user_id LIMIT \(sampleSize)"
    )
    var sample: [UserID] = []
    for row in rows { sample.append(try row.get(0)) }
    return Population(name: name, group: group, count: count, sample: sample)
  }

  /// People with a device each whose ids are these.
  static func make(_ people: [UserIdentifier], in database: PostgresClient) async throws {
    let users = people.map { UserID($0.uuid) }
    let texts = people.map(\.description)
    _ = try await database.transaction([
      """
      INSERT INTO users (user_id, display_name, locale, timezone)
      SELECT id, 'User', 'en', 'Europe/Berlin' FROM unnest(\(users)) AS k(id)
      """,
      """
      INSERT INTO user_identifiers (user_id, identifier)
      SELECT id, text FROM unnest(\(users), \(texts)) AS k(id, text)
      """,
      """
      INSERT INTO devices (user_id, id, token, platform, name, app_version)
      SELECT id, gen_random_uuid(), id || ':' || repeat(md5(id::text), 4), 2::int2, 'Phone', '1.0'
      FROM unnest(\(users)) AS k(id)
      """,
    ])
    for table in ["users", "user_identifiers", "devices"] {
      _ = try await database.query("VACUUM ANALYZE \(unescaped: table)")
    }
  }

  /// Gives everybody an inbox as after a first notification, so that no measurement has more of these to make than another.
  func openInboxes(in database: PostgresClient) async throws {
    _ = try await database.query(
      """
      INSERT INTO inbox (user_id, unread, total, seq)
      SELECT user_id, 1, 1, 1 FROM group_members WHERE group_id = \(group)
      ON CONFLICT DO NOTHING
      """
    )
    _ = try await database.query("VACUUM ANALYZE inbox")
  }
}
