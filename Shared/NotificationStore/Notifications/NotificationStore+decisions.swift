public import NotificationModel
public import Postgres

/// What was decided before, and changes of it.
extension NotificationStore {
  /// Changes what was decided on a channel, wherever that is still what the caller knows and has no outcome yet: of several
  /// callers one makes the change. The inbox is not among the channels, for its `seq` and counts went with the insert.
  ///
  /// - Returns: The notifications that this call changed.
  public func change(
    _ channel: Channel,
    of changes: [DecisionChange]
  ) async throws(PostgresError) -> Set<NotificationID> {
    guard !changes.isEmpty, channel != .inApp else { return [] }
    let rows = try await client.query(
      Self.change(channel, changes.sorted { ($0.userID, $0.id) < ($1.userID, $1.id) }),
      planned: .alongIndexes
    )
    var changed: Set<NotificationID> = []
    for row in rows { changed.insert(try row.get(0)) }
    return changed
  }

  /// In the order of their ids, as all do who change several. One statement of ``change(_:_:)`` does so by itself; one for each
  /// channel would take them in another order.
  static func lock(_ notifications: [(user: UserID, id: NotificationID)]) -> SQLQuery {
    """
    SELECT n.id FROM unnest(\(notifications.map(\.user)), \(notifications.map(\.id))) AS k(user_id, id)
      JOIN notifications n ON n.user_id = k.user_id AND n.id = k.id
    ORDER BY n.user_id, n.id FOR UPDATE OF n
    """
  }

  static func change(_ channel: Channel, _ changes: [DecisionChange]) -> SQLQuery {
    let key = String(channel.rawValue)
    let column = DecisionColumns.name(of: channel).map { "\($0) = c.code, " } ?? ""
    return """
      UPDATE notifications n SET \(unescaped: column)
        decisions = CASE WHEN c.further IS NULL THEN nullif(n.decisions - \(key), '{}')
          ELSE coalesce(n.decisions, '{}') || jsonb_build_object(\(key)::text, c.further) END
      FROM unnest(
        \(changes.map(\.userID)), \(changes.map(\.id)), \(changes.map(\.from.code)), \(changes.map(\.to.code)),
        \(changes.map { $0.to.further(on: channel) })
      ) AS c(user_id, id, former, code, further)
      WHERE n.user_id = c.user_id AND n.id = c.id AND \(unescaped: DecisionColumns.code(of: channel, in: "n")) = c.former
        AND NOT EXISTS (
          SELECT FROM deliveries d
          WHERE d.user_id = n.user_id AND d.notification_id = n.id AND d.channel = \(Int16(clamping: channel.rawValue)))
      RETURNING n.id
      """
  }

  /// What was first stored of notifications; `position` counts them from 1.
  static func former(_ notifications: [NewNotification]) -> SQLQuery {
    """
    SELECT i.position, n.in_app, n.push, n.email, n.decisions, n.title, n.body
    FROM unnest(\(notifications.map(\.userID)), \(notifications.map(\.id))) WITH ORDINALITY AS i(user_id, id, position)
      CROSS JOIN LATERAL (
        SELECT in_app, push, email, decisions, title, body FROM notifications
        WHERE user_id = i.user_id AND id = i.id OFFSET 0
      ) n
    """
  }
}

extension StoredNotification.Former {
  init(_ row: PostgresRow) throws(PostgresError) {
    plan = try RoutingPlan(row)
    title = try row.get("title")
    body = try row.get("body")
  }
}
