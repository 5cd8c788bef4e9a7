import Foundation
public import NotificationModel
public import Postgres

/// Writes notifications, and the inbox counters with them, in one transaction and one round trip.
public struct NotificationStore: Sendable {
  private let client: PostgresClient

  public init(client: PostgresClient) {
    self.client = client
  }

  /// Stores what is not stored yet.
  ///
  /// Users' inbox rows are locked in order of their ids first, so that concurrent calls neither deadlock nor count twice.
  /// Only rows really inserted move the counters. Repeated ids within one call are an error of the caller.
  ///
  /// - Returns: One result per notification, in the same order.
  public func store(
    _ notifications: [NewNotification],
    contents: [NotificationContent]
  ) async throws(PostgresError) -> [StoredNotification] {
    guard !notifications.isEmpty else { return [] }
    let users = Array(Set(notifications.map(\.userID))).sorted()
    let results = try await client.transaction([
      "INSERT INTO inbox (user_id) SELECT unnest(\(users)) ON CONFLICT DO NOTHING",
      "SELECT 1 FROM inbox WHERE user_id = ANY (\(users)) ORDER BY user_id FOR UPDATE",
      Self.insert(notifications, contents),
    ])
    var stored: [StoredNotification] = []
    stored.reserveCapacity(notifications.count)
    for row in results[2] {
      stored.append(
        StoredNotification(isNew: try row.get(0), seq: try row.get(1), unread: try row.get(2))
      )
    }
    return stored
  }

  private static func insert(_ notifications: [NewNotification], _ contents: [NotificationContent]) -> SQLQuery {
    """
    WITH content AS (
      SELECT * FROM unnest(
        \(contents.map { Int16($0.type) }), \(contents.map(\.title)), \(contents.map(\.body)),
        \(contents.map { jsonText(of: $0.data).map { PostgresJSON(text: $0) } }), \(contents.map(\.relatedEntityType)),
        \(contents.map(\.relatedEntityId)), \(contents.map(\.createdAt)), \(contents.map(\.expiresAt))
      ) WITH ORDINALITY AS c(type, title, body, data, related_type, related_id, created_at, expires_at, position)
    ), input AS (
      SELECT * FROM unnest(
        \(notifications.map(\.userID)), \(notifications.map(\.id)), \(notifications.map(\.requestID)),
        \(notifications.map { Int32($0.content + 1) }), \(notifications.map(\.decision.inApp.code)),
        \(notifications.map(\.decision.push.code)), \(notifications.map(\.decision.email.code))
      ) WITH ORDINALITY AS i(user_id, id, request_id, content, in_app, push, email, position)
    ), fresh AS (
      SELECT i.*,
        b.seq + count(*) FILTER (WHERE i.in_app = 0) OVER (PARTITION BY i.user_id ORDER BY i.position) AS seq
      FROM input i JOIN inbox b USING (user_id)
      WHERE NOT EXISTS (SELECT FROM notifications n WHERE n.user_id = i.user_id AND n.id = i.id)
    ), inserted AS (
      INSERT INTO notifications (user_id, id, request_id, type, title, body, data, related_type, related_id, in_app, push,
        email, seq, created_at, expires_at)
      SELECT f.user_id, f.id, f.request_id, c.type, c.title, c.body, c.data, c.related_type, c.related_id, f.in_app,
        f.push, f.email, f.seq, c.created_at, c.expires_at
      FROM fresh f JOIN content c ON c.position = f.content
    ), counted AS (
      UPDATE inbox b SET unread = b.unread + d.count, total = b.total + d.count, seq = b.seq + d.count
      FROM (SELECT user_id, count(*) AS count FROM fresh WHERE in_app = 0 GROUP BY user_id) d
      WHERE b.user_id = d.user_id
      RETURNING b.user_id, b.unread
    )
    SELECT f.id IS NOT NULL, coalesce(f.seq, n.seq), coalesce(c.unread, b.unread)
    FROM input i
      JOIN inbox b USING (user_id)
      LEFT JOIN fresh f USING (position)
      LEFT JOIN counted c ON c.user_id = i.user_id
      LEFT JOIN notifications n ON f.id IS NULL AND n.user_id = i.user_id AND n.id = i.id
    ORDER BY i.position
    """
  }

  private static func jsonText(of data: [String: String]) -> String? {
    guard !data.isEmpty else { return nil }
    return JSONWriter.object(data)
  }
}
