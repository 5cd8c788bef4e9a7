import NotificationModel
import Postgres

/// Users with a device each, all in one group; written straight into the tables.
struct Population: Sendable {
  static let group = "bench:all"

  let count: Int
  /// The first of them, for single sends.
  let sample: [UserID]

  private static let step = 20_000
  private static let sampleSize = 500

  static func make(_ count: Int, in database: PostgresClient) async throws -> Population {
    var made = 0
    while made < count {
      let (first, last) = (made + 1, min(made + step, count))
      _ = try await database.transaction([
        """
        INSERT INTO users (user_id, display_name, locale, timezone)
        SELECT md5('bench user ' || i)::uuid, 'User ' || i, 'en', 'Europe/Berlin' FROM generate_series(\(first), \(last)) i
        """,
        """
        INSERT INTO devices (user_id, id, token, platform, name, app_version)
        SELECT md5('bench user ' || i)::uuid, gen_random_uuid(), 'bench-' || i || ':' || repeat(md5('token ' || i), 4),
          (1 + i % 3)::int2, 'Phone', '1.0'
        FROM generate_series(\(first), \(last)) i
        """,
        """
        INSERT INTO group_members (group_id, user_id)
        SELECT \(group), md5('bench user ' || i)::uuid FROM generate_series(\(first), \(last)) i
        """,
      ])
      made = last
      Progress.say("  … \(made) of \(count) users with a device")
    }
    for table in ["users", "devices", "group_members"] {
      _ = try await database.query("VACUUM ANALYZE \(unescaped: table)")
    }
    let rows = try await database.query(
      "SELECT user_id FROM group_members WHERE group_id = \(group) ORDER BY user_id LIMIT \(sampleSize)"
    )
    var sample: [UserID] = []
    for row in rows { sample.append(try row.get(0)) }
    return Population(count: count, sample: sample)
  }
}
