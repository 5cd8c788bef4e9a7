import NotificationModel
import Postgres

/// A notifications table of many rows: some of one user's, the others of readers with ten each, all of them unread.
struct Inboxes {
  let bench: Bench

  /// Of each reader.
  static let each = 10

  /// Somebody with notifications.
  struct Reader {
    let id: UserID
    let token: String
    var notifications: [NotificationID]
  }

  /// Fills the table up to the rows asked for on the command line, of which `own` are new ones of `user`, spread evenly among the
  /// others.
  func fill(_ user: UserID, with own: Int) async throws {
    let present = try await count("SELECT count(*) FROM notifications")
    let others = max(0, bench.options.rows - present - own)
    let step = 100_000
    for first in stride(from: 0, to: others, by: step) {
      let last = min(first + step, others)
      try await insert(
        "md5('reader ' || i / \(Self.each))::uuid",
        from: first,
        to: last,
        of: others
      )
      Progress.say("  … \(present + last) of \(bench.options.rows) rows")
    }
    try await insert("'\(user)'::uuid", from: 0, to: own, of: own)
    _ = try await bench.database.transaction([
      """
      INSERT INTO inbox (user_id, unread, total, seq)
      SELECT md5('reader ' || i)::uuid, 10, 10, 10 FROM generate_series(0, \(others / Self.each)) i ON CONFLICT DO NOTHING
      """,
      """
      INSERT INTO inbox (user_id, unread, total, seq)
      VALUES (\(user), \(Int32(own)), \(Int32(own)), \(own))
      """,
    ])
    for table in ["notifications", "inbox"] {
      _ = try await bench.database.query("VACUUM ANALYZE \(unescaped: table)")
    }
    // Or the server writes what was filled in while it is measured.
    _ = try await bench.database.query("CHECKPOINT")
  }

  /// Up to `count` readers who have what they were given, with tokens.
  func readers(_ count: Int) async throws -> [Reader] {
    let rows = try await bench.database.query(
      """
      SELECT r.user_id, n.id
      FROM (SELECT md5('reader ' || i)::uuid AS user_id FROM generate_series(0, \(count - 1)) i) r
        CROSS JOIN LATERAL (
          SELECT id FROM notifications
          WHERE user_id = r.user_id AND in_app = \(InboxState.inbox.rawValue) AND read_at IS NULL OFFSET 0
        ) n
      """
    )
    var found: [UserID: [NotificationID]] = [:]
    for row in rows { found[try row.get(0), default: []].append(try row.get(1)) }
    let users = found.keys.sorted()
    return zip(users, try await bench.tokens(of: users)).map { user, token in
      Reader(id: user, token: token, notifications: found[user] ?? [])
    }
  }

  /// Inserts numbers `first` to before `last` of `all`, whose times lie evenly in the past four weeks.
  private func insert(_ user: String, from first: Int, to last: Int, of all: Int) async throws {
    guard last > first else { return }
    _ = try await bench.database.query(
      """
      INSERT INTO notifications (user_id, id, request_id, type, title, body, data, in_app, push, email, seq, created_at,
        expires_at)
      SELECT \(unescaped: user), overlay(belfry_uuid_at(at)::text PLACING substr(gen_random_uuid()::text, 15) FROM 15)::uuid,
        gen_random_uuid(), 10, 'Allowance received', 'You received $10.00. Your balance is $42.00.',
        '{"amount":"$10.00","balance":"$42.00"}', 0, 0, 0, i, at, at + interval '30 days'
      FROM (
        SELECT i, now() - interval '28 days' * (1 - i / \(Double(all))) AS at
        FROM generate_series(\(first), \(last - 1)) i
      ) series
      """
    )
  }

  private func count(_ query: SQLQuery) async throws -> Int {
    let rows = try await bench.database.query(query)
    guard let row = rows.first else { return 0 }
    return try row.get(0)
  }
}
