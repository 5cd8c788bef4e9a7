public import Foundation
public import NotificationModel
public import Postgres

/// What users did with what they were told: that they opened it, which of its buttons they used.
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
    let act: InboxAct = action == nil ? .opened : .seen
    var counts = StatStore.Counts()
    if action == nil { counts.opened = 1 } else { counts.acted = 1 }
    return try await client.withTransaction { transaction in
      let results = try await transaction.queries([
        NotificationStore.withoutScans,
        InboxStore.lock(user),
        Self.note(action ?? Self.opened, of: id, by: user, at: now),
        InboxStore.place([id], of: user, act, at: now),
      ])
      if let row = results[2].first {
        var channels: [Channel?] = [nil]
        if try row.get("is_pushed") { channels.append(.push) }
        if try row.get("is_mailed") { channels.append(.email) }
        let tallies = channels.map { StatStore.Tally(at: id.time ?? now, type: type, channel: $0, counts: counts) }
        _ = try await transaction.query(StatStore.tally(tallies))
      }
      return try InboxChange(act, results[3])
    }
  }

  /// What buttons have ids for, opening has this.
  private static let opened = "opened"

  /// - Returns: A row if it is new: what the notification was sent on besides the inbox.
  static func note(_ action: String, of id: NotificationID, by user: UserID, at now: Date) -> SQLQuery {
    """
    WITH meant AS (
      SELECT push = 0 AS is_pushed, email = 0 AS is_mailed FROM notifications
      WHERE user_id = \(user) AND id = \(id) AND in_app IN (0, 18, 19)
    ), noted AS (
      INSERT INTO engagement (user_id, notification_id, action, at)
      SELECT \(user), \(id), \(action), \(now) FROM meant
      ON CONFLICT (user_id, notification_id, action) DO NOTHING
      RETURNING 1
    )
    SELECT is_pushed, is_mailed FROM meant WHERE EXISTS (SELECT FROM noted)
    """
  }
}
