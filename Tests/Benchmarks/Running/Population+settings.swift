import NotificationModel
import Postgres

/// What people set for themselves, in the shares that a benchmark of settings needs.
///
/// Nobody sets what would keep a push about ``SettingsSuite/entity`` from them: their quiet hours begin two hours from now or
/// later, what they muted is something else or has ended, a pause is over, and who switched the category off has the type on.
/// So for all of them the router finds, reads and evaluates settings, and then does the work that it does for anybody.
extension Population {
  /// - Parameter type: Code and category of the type that is sent.
  func settle(sending type: (code: Int, category: String), in database: PostgresClient) async throws {
    let code = Int32(type.code)
    _ = try await database.transaction([
      // Neighbours of five share a zone; four of them have quiet hours, of eight hours at some time of day.
      """
      UPDATE users u SET timezone = p.zone, quiet_hours_enabled = p.i % 5 < 4,
        quiet_hours_start = (p.now + p.ahead)::time, quiet_hours_end = (p.now + p.ahead + interval '8 hours')::time,
        paused_until = CASE WHEN p.i % 20 = 0 THEN now() - interval '1 day' END,
        settings = CASE WHEN p.i % 4 = 0
          THEN jsonb_build_object('soundEnabled', p.i % 8 = 0, 'badgeEnabled', true, 'lowBalanceThreshold', 25)
          ELSE '{}' END,
        settings_revision = 1
      FROM (
        SELECT i, zone, date_trunc('minute', now() AT TIME ZONE zone) AS now,
          make_interval(hours => (2 + i / 200 % 10)::int) AS ahead
        FROM (
          SELECT i, (\(Self.zones))[(1 + i / 5 % \(Self.zones.count))::int] AS zone
          FROM generate_series(1, \(count)) i
        ) n
      ) p
      WHERE u.user_id = md5(\(name) || ' user ' || p.i)::uuid
      """,
      // Three of ten chose of the type itself; everybody switched off two others.
      """
      INSERT INTO preferences (user_id, type, in_app, push, email, chosen)
      SELECT md5(\(name) || ' user ' || i)::uuid, \(code), true, true, false, CASE WHEN i % 2 = 0 THEN 2 ELSE 7 END
      FROM generate_series(1, \(count)) i WHERE i % 10 < 3
      UNION ALL
      SELECT md5(\(name) || ' user ' || i)::uuid, \(code) + other, true, false, false, 2
      FROM generate_series(1, \(count)) i, generate_series(1, 2) other
      """,
      // Four of ten chose of its category, one of them what the type's own choice overrules; a third of another one.
      """
      INSERT INTO category_preferences (user_id, category, in_app, push, email)
      SELECT md5(\(name) || ' user ' || i)::uuid, \(type.category), NULL, i % 10 <> 2, false
      FROM generate_series(1, \(count)) i WHERE i % 10 BETWEEN 2 AND 5
      UNION ALL
      SELECT md5(\(name) || ' user ' || i)::uuid, 'Budget', true, false, false
      FROM generate_series(1, \(count)) i WHERE i % 3 = 0
      """,
      // One of five muted two other things for good, one of ten this one until an hour ago.
      """
      INSERT INTO mutes (user_id, entity_type, entity_id, until)
      SELECT md5(\(name) || ' user ' || i)::uuid, 'goal', 'other-' || other, NULL
      FROM generate_series(1, \(count)) i, generate_series(1, 2) other WHERE i % 5 = 0
      UNION ALL
      SELECT md5(\(name) || ' user ' || i)::uuid, \(SettingsSuite.entity.type), \(SettingsSuite.entity.id),
        now() - interval '1 hour'
      FROM generate_series(1, \(count)) i WHERE i % 10 = 1
      """,
    ])
    for table in ["users", "preferences", "category_preferences", "mutes"] {
      _ = try await database.query("VACUUM ANALYZE \(unescaped: table)")
    }
  }

  /// Forty, all over the world; some of them half or three quarters of an hour off.
  private static let zones = [
    "Africa/Cairo", "Africa/Johannesburg", "Africa/Lagos", "Africa/Nairobi", "America/Anchorage",
    "America/Bogota", "America/Chicago", "America/Denver", "America/Halifax", "America/Lima",
    "America/Los_Angeles", "America/Mexico_City", "America/New_York", "America/Santiago", "America/Sao_Paulo",
    "America/St_Johns", "Asia/Bangkok", "Asia/Dhaka", "Asia/Dubai", "Asia/Hong_Kong", "Asia/Jakarta",
    "Asia/Karachi", "Asia/Kathmandu", "Asia/Kolkata", "Asia/Manila", "Asia/Riyadh", "Asia/Seoul",
    "Asia/Singapore", "Asia/Tehran", "Asia/Tokyo", "Australia/Adelaide", "Australia/Sydney", "Europe/Berlin",
    "Europe/Istanbul", "Europe/Lisbon", "Europe/London", "Europe/Madrid", "Europe/Warsaw", "Pacific/Auckland",
    "Pacific/Honolulu",
  ]
}
