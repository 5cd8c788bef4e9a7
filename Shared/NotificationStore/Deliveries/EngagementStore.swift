public import Foundation
public import NotificationModel
public import Postgres

/// What users did with what they were sent: that they opened it, which of its buttons they used; and which of their devices
/// displayed it.
public struct EngagementStore: Sendable {
  private let client: PostgresClient

  public init(client: PostgresClient) {
    self.client = client
  }

  /// Notes it once; whoever does something with a notification has seen it. Locks the inbox first, as all do that change
  /// notifications.
  ///
  /// - Parameters:
  ///   - action: Of a button; nil is opening it.
  ///   - type: The notification's.
  /// - Returns: What changed in the inbox: nothing where it was noted before, or the user has no such notification any more.
  public func note(
    _ action: String?,
    of id: NotificationID,
    type: Int,
    by user: UserID,
    at now: Date
  ) async throws -> InboxChange {
    let operation: InboxOperation = action == nil ? .opened : .seen
    let rows = try await client.query(
      InboxStore.apply(operation, to: [id], of: user, at: now),
      after: [InboxStore.lock(user), Self.note(action ?? Self.opened, of: id, type: type, by: user, at: now)],
      planned: .alongIndexes
    )
    return try InboxChange(operation, rows)
  }

  /// What buttons have ids for, opening has this, and displaying ``displayed(on:)``: no button's id has parentheses.
  private static let opened = "(opened)"

  private static func displayed(on device: DeviceID) -> String { "(displayed:\(device))" }

  /// Notes once that a device displayed a notification, and counts it with the pushes. Of one that is gone nothing is noted.
  public func displayed(_ id: NotificationID, by user: UserID, on device: DeviceID, at now: Date)
    async throws(PostgresError)
  {
    _ = try await client.transaction(
      [InboxStore.lock(user), Self.displayed(id, by: user, on: device, at: now)],
      planned: .alongIndexes
    )
  }

  /// The lock that comes before keeps an erasure from leaving it behind.
  static func displayed(_ id: NotificationID, by user: UserID, on device: DeviceID, at now: Date) -> SQLQuery {
    let days = StatStore.Days(of: [id])
    return """
      WITH meant AS MATERIALIZED (
        SELECT type FROM notifications WHERE user_id = \(user) AND id = \(id)
      ), noted AS (
        INSERT INTO engagement (user_id, notification_id, action, at)
        SELECT \(user), \(id), \(displayed(on: device)), \(now) FROM meant
        ON CONFLICT (user_id, notification_id, action) DO NOTHING
        RETURNING 1
      )
      INSERT INTO stats (day, type, channel, slot, displayed)
      SELECT date '1970-01-01' + (\(days.numbers)::int4[])[1], type, \(Int16(Channel.push.rawValue)),
        \(unescaped: StatStore.slot), 1
      FROM noted CROSS JOIN meant
      ON CONFLICT (day, type, channel, slot) DO UPDATE SET displayed = stats.displayed + excluded.displayed
      """
  }

  /// Names of buttons that are kept of one notification: those of a type are at most ten, but catalogues change, and of a type
  /// that is gone nobody knows which there were. What goes beyond does not count.
  static let maximumActions = 32

  /// Counts it with the notification and with what that was sent on besides the inbox, if it is new.
  static func note(
    _ action: String,
    of id: NotificationID,
    type: Int,
    by user: UserID,
    at now: Date
  ) -> SQLQuery {
    let days = StatStore.Days(of: [id])
    let (opened, acted) = action == Self.opened ? (1, 0) : (0, 1)
    return """
      WITH meant AS MATERIALIZED (
        SELECT ARRAY(
          SELECT channel FROM (\(unescaped: DecisionColumns.each(of: "n"))) c
          WHERE code = 0 AND channel <> \(Int16(Channel.inApp.rawValue))
        ) AS channels
        FROM notifications n WHERE user_id = \(user) AND id = \(id) AND in_app IN \(literals: InboxState.kept)
      ), noted AS (
        INSERT INTO engagement (user_id, notification_id, action, at)
        SELECT \(user), \(id), \(action), \(now) FROM meant
        WHERE \(action == Self.opened) OR \(maximumActions) > (
          SELECT count(*) FROM engagement
          WHERE user_id = \(user) AND notification_id = \(id) AND left(action, 1) <> '(')
        ON CONFLICT (user_id, notification_id, action) DO NOTHING
        RETURNING 1
      )
      INSERT INTO stats (day, type, channel, slot, opened, acted)
      SELECT date '1970-01-01' + (\(days.numbers)::int4[])[1], \(Int16(clamping: type)), c.channel,
        \(unescaped: StatStore.slot), \(opened), \(acted)
      FROM noted CROSS JOIN meant CROSS JOIN LATERAL unnest(0::int2 || channels) AS c(channel)
      ORDER BY c.channel
      ON CONFLICT (day, type, channel, slot) DO UPDATE SET
        opened = stats.opened + excluded.opened, acted = stats.acted + excluded.acted
      """
  }
}
