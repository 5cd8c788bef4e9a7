import Foundation
import NotificationModel
import Postgres

/// Pushes that wait for one minute's end of quiet hours, written straight into the tables as the router stores them.
///
/// One for each of as many people. So each is delivered by itself, whatever is delivered as one, and all is paid for that a
/// person costs: the lock, the settings, the devices. And each is of a request of its own, with a text of its own.
struct HeldWave {
  let count: Int
  private let database: PostgresClient

  private static let step = 50_000

  /// Makes the people, with a device and an inbox each; once in a run.
  init(_ count: Int, in database: PostgresClient) async throws {
    self.count = count
    self.database = database
    for first in stride(from: 1, through: count, by: Self.step) {
      let last = min(first + Self.step - 1, count)
      _ = try await database.transaction([
        """
        INSERT INTO users (user_id, display_name, locale, timezone)
        SELECT md5('held user ' || i)::uuid, 'User ' || i, 'en', 'Europe/Berlin' FROM generate_series(\(first), \(last)) i
        """,
        """
        INSERT INTO devices (user_id, id, token, platform, name, app_version)
        SELECT md5('held user ' || i)::uuid, gen_random_uuid(), 'held-' || i || ':' || repeat(md5('token ' || i), 4),
          (1 + i % 3)::int2, 'Phone', '1.0'
        FROM generate_series(\(first), \(last)) i
        """,
        """
        INSERT INTO inbox (user_id) SELECT md5('held user ' || i)::uuid FROM generate_series(\(first), \(last)) i
        """,
      ])
      Progress.say("  … \(last) of \(count) users with a device")
    }
    for table in ["users", "devices", "inbox"] { _ = try await database.query("VACUUM ANALYZE \(unescaped: table)") }
  }

  /// Stores them: accepted in the past eight hours, due in the minute before this call. No router may run.
  func fill() async throws {
    let now = Date.now
    for first in stride(from: 1, through: count, by: Self.step) {
      let last = min(first + Self.step - 1, count)
      _ = try await database.query(statement(first...last, now: now))
      Progress.say("  … \(last) of \(count) held pushes")
    }
    // What maintenance the filling causes is no part of a wave.
    for table in ["notifications", "inbox"] { _ = try await database.query("VACUUM ANALYZE \(unescaped: table)") }
    let held = try await rows()
    guard held == count else { throw BenchError("\(held) rows wait instead of \(count)") }
  }

  /// Whoever was held at night: of each person one, whose place in the minute has nothing to do with when it was accepted.
  private func statement(_ numbers: ClosedRange<Int>, now: Date) -> SQLQuery {
    """
    WITH wave AS MATERIALIZED (
      SELECT md5('held user ' || i)::uuid AS user_id, at,
        overlay(belfry_uuid_at(at)::text PLACING '7' || substr(gen_random_uuid()::text, 16) FROM 15)::uuid AS id,
        overlay(belfry_uuid_at(at)::text PLACING '7' || substr(gen_random_uuid()::text, 16) FROM 15)::uuid AS request_id,
        \(now)::timestamptz - interval '1 minute' + i * 7919 % 60000 * interval '1 ms' AS due,
        '$' || 10 + i % 90 || '.00' AS amount
      FROM (
        SELECT i, \(now)::timestamptz - interval '8 hours' * (1 - 0.9 * i / \(Double(count))) AS at
        FROM generate_series(\(numbers.lowerBound), \(numbers.upperBound)) i
      ) series
    ), counted AS (
      INSERT INTO inbox (user_id, unread, total, seq, last_id) SELECT user_id, 1, 1, 1, id FROM wave
      ON CONFLICT (user_id) DO UPDATE SET unread = inbox.unread + 1, total = inbox.total + 1, seq = inbox.seq + 1,
        last_id = excluded.last_id
      RETURNING user_id, seq
    ), stored AS (
      INSERT INTO notifications (user_id, id, request_id, type, title, body, data, in_app, push, email, decisions, seq,
        is_late, created_at, expires_at)
      SELECT w.user_id, w.id, w.request_id, \(Int16(SendSuite.type)), 'Allowance Received!',
        'Your weekly allowance of ' || w.amount || ' has been deposited. New balance: $42.00',
        jsonb_build_object('amount', w.amount, 'balance', '$42.00'), 0, -\(HoldReason.quietHours.rawValue),
        \(SkipReason.preferenceOff.rawValue),
        jsonb_build_object(\(String(Channel.push.rawValue))::text, jsonb_build_object('code', -\(HoldReason.quietHours.rawValue),
          'until', to_char(w.due AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))),
        c.seq, false, w.at, w.at + interval '30 days'
      FROM wave w JOIN counted c ON c.user_id = w.user_id
    )
    INSERT INTO held (user_id, notification_id, channel, due_at, reason, type)
    SELECT user_id, id, \(Int16(Channel.push.rawValue)), due, \(HoldReason.quietHours.rawValue), \(Int16(SendSuite.type))
    FROM wave
    """
  }

  /// Some of the people, from everywhere among them.
  func sample(_ size: Int) async throws -> [UserID] {
    try await database.query(
      "SELECT md5('held user ' || 1 + i * 7919 % \(count))::uuid FROM generate_series(1, \(size)::int8) i"
    ).map { try $0.get(0) }
  }

  /// How many wait.
  func rows() async throws -> Int {
    guard let row = try await database.query("SELECT count(*) FROM held").first else { return 0 }
    return try row.get(0)
  }

  /// When the next one is due; nil if none waits. By the index, as routers look: this may be asked often.
  func nextDue() async throws -> Date? {
    let results = try await database.transaction([
      """
      SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
        set_config('enable_sort', 'off', true)
      """,
      "SELECT due_at FROM held ORDER BY due_at LIMIT 1",
    ])
    return try results[1].first?.get(0)
  }
}
