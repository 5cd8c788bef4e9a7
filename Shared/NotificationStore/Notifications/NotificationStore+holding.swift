import NotificationModel
import Postgres

/// One channel of a notification to be stored that has to wait.
struct WaitingChannel {
  var notification: NewNotification
  var channel: Channel

  static func all(of notification: NewNotification) -> [WaitingChannel] {
    guard notification.plan.entries.contains(where: { $0.value.heldUntil != nil }) else { return [] }
    return notification.plan.entries.compactMap { entry in
      guard entry.value.heldUntil != nil, entry.channel != .inApp else { return nil }
      return WaitingChannel(notification: notification, channel: entry.channel)
    }
  }
}

extension NotificationStore {
  /// Puts what waits into `held`: by the decision that is stored, so a repetition changes no due time and brings back nothing
  /// that was told. Of two that would open a digest's window, the second, who had to wait for the lock on the inbox, joins the
  /// first's. What was decided by settings that are others by now, or are being changed in this moment, is due at once.
  static func hold(_ waiting: [WaitingChannel], _ contents: [NotificationContent]) -> SQLQuery {
    let items = waiting.map(\.notification)
    let digest = HoldReason.digest.rawValue
    return """
      INSERT INTO held (user_id, notification_id, channel, due_at, reason, type, digest_key, throttle_key, collapse_key)
      SELECT i.user_id, i.id, i.channel,
        CASE WHEN n.code = -\(digest)::int2 THEN coalesce(w.until, n.until)
          WHEN u.settings_revision <> i.settings_revision THEN coalesce(i.decided_at, n.until) ELSE n.until END, -n.code, i.type, i.digest_key,
        i.throttle_key, i.collapse_key
      FROM unnest(
        \(items.map(\.userID)), \(items.map(\.id)), \(waiting.map { Int16(clamping: $0.channel.rawValue) }),
        \(items.map { Int16(clamping: contents[$0.content].type) }), \(items.map(\.waiting?.digest)),
        \(items.map(\.waiting?.throttle)), \(items.map { contents[$0.content].collapseKey }),
        \(items.map(\.waiting?.decidedAt)), \(items.map { Int64($0.waiting?.settingsRevision ?? 0) })
      ) AS i(user_id, id, channel, type, digest_key, throttle_key, collapse_key, decided_at, settings_revision)
        CROSS JOIN LATERAL (
          SELECT CASE i.channel WHEN 2 THEN push WHEN 3 THEN email
              ELSE (decisions -> i.channel::text ->> 'code')::int2 END AS code,
            (decisions -> i.channel::text ->> 'until')::timestamptz AS until
          FROM notifications WHERE user_id = i.user_id AND id = i.id OFFSET 0
        ) n
        LEFT JOIN LATERAL (
          SELECT min(due_at) AS until FROM (
            SELECT due_at FROM held
            WHERE user_id = i.user_id AND channel = i.channel AND type = i.type AND digest_key = i.digest_key
              AND reason = \(digest) OFFSET 0
          ) held WHERE due_at > i.decided_at
        ) w ON true
        LEFT JOIN LATERAL (SELECT settings_revision FROM users WHERE user_id = i.user_id FOR SHARE) u ON true
      WHERE n.code < 0
      ON CONFLICT DO NOTHING
      """
  }
}
