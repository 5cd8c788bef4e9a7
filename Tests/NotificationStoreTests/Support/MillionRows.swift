import Foundation
import NotificationModel
import Postgres
import TestSupport

/// A million notifications of 5,000 users over five weeks, 5,000 of them `heavy`'s, whose `seq` grows with their times; every
/// tenth is said to be late.
enum MillionRows {
  static let heavy = UserID(UUID(uuid: (7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7)))

  static let contents = DatabaseContents("million_rows") { client in
    try await client.fill(
      "notifications",
      """
      INSERT INTO notifications (user_id, id, request_id, type, title, body, in_app, push, email, seq, created_at,
        expires_at, read_at, is_late)
      SELECT CASE WHEN n <= 5000 THEN \(heavy) ELSE md5((n % 4999)::text)::uuid END,
        (left(belfry_uuid_at(at)::text, 13) || '-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, \(heavy), 1 + n % 26,
        'Title', 'Body', 0, 0, 2, CASE WHEN n <= 5000 THEN 5000 - n % 5000 ELSE n END, at, at + interval '30 days', CASE WHEN n % 3 = 0 THEN at END,
        n % 10 = 0
      FROM generate_series(1, 1000000) AS n
        CROSS JOIN LATERAL (SELECT now() - (n % 5000) * interval '10 minutes' AS at) t
      """
    )
    _ = try await client.query(
      """
      INSERT INTO inbox (user_id, unread, total, seq)
      SELECT user_id, count(*) FILTER (WHERE read_at IS NULL), count(*), max(seq) FROM notifications GROUP BY user_id
      """
    )
    _ = try await client.query("ANALYZE inbox")
  }
}
