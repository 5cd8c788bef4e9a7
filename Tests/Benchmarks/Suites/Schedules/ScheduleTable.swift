import Foundation
import Postgres

/// Schedules that come in a year, written straight into the table as the gateway and a router's first look leave them.
struct ScheduleTable {
  let database: PostgresClient

  /// As many as there are, up to 400, all over the world.
  private static let zones: SQLQuery = """
    SELECT name FROM pg_timezone_names WHERE name ~ '^[A-Z][A-Za-z]+/' AND name !~ '^(Etc|SystemV)/'
    ORDER BY md5(name) LIMIT 400
    """

  /// - Returns: In how many zones they come.
  func fill(_ count: Int) async throws -> Int {
    var zones: [String] = []
    for row in try await database.query(Self.zones) { zones.append(try row.get(0)) }
    _ = try await database.query(
      """
      INSERT INTO schedules (id, owner, key, definition, starts_on, next_at, done_until, created_at, updated_at)
      SELECT gen_random_uuid(), 'owner-' || i % 10, 'weekly-' || i,
        json_build_object('to', json_build_object('users', json_build_array(md5('bench user ' || i)::uuid)),
          'type', \(Int32(SendSuite.type)), 'data', json_build_object('amount', '$10.00', 'balance', '$42.00'),
          'recurrence', 'FREQ=WEEKLY', 'start', day, 'time', '09:00', 'timezone', zone)::text,
        current_date, (day + time '09:00') AT TIME ZONE zone, now(), now(), now()
      FROM (
        SELECT i, current_date + 365 + (i % 7)::int AS day, (\(zones))[(1 + i % \(zones.count))::int] AS zone
        FROM generate_series(1, \(count)) i
      ) s
      """
    )
    return zones.count
  }

  func count() async throws -> Int { try await number("SELECT count(*) FROM schedules") }

  /// Those that nobody has looked at since ``fill(_:)``.
  func countFarAhead() async throws -> Int {
    try await number(
      "SELECT count(*) FROM schedules WHERE next_at > now() + interval '300 days' AND done_until < now()"
    )
  }

  /// How often somebody has asked what is due, by the index of due times.
  func looks() async throws -> Int {
    try await number("SELECT idx_scan FROM pg_stat_user_indexes WHERE indexrelname = 'schedules_next'")
  }

  private func number(_ query: SQLQuery) async throws -> Int {
    guard let row = try await database.query(query).first else { throw BenchError("no answer to \(query)") }
    return try row.get(0)
  }
}
