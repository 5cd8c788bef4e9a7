public import Foundation
public import NotificationModel
public import Postgres

/// When snoozed notifications are to come back. ``InboxStore/apply(_:to:of:at:)`` puts them here, and takes them out.
public struct SnoozeStore: Sendable {
  private let client: PostgresClient

  public init(client: PostgresClient) {
    self.client = client
  }

  /// What is due, the oldest first. Any number of callers may be given the same: of those that wake it one does.
  ///
  /// - Parameter limit: How many notifications at most.
  public func due(at now: Date, limit: Int) async throws(PostgresError) -> [UserID: [NotificationID]] {
    let rows = try await client.query(Self.due(at: now, limit: limit), planned: .inIndexOrder)
    var due: [UserID: [NotificationID]] = [:]
    for row in rows { due[try row.get("user_id"), default: []].append(try row.get("notification_id")) }
    return due
  }

  /// Forgets what is due no more, because the notification is not snoozed any more, or is gone with its week.
  public func forget(_ ids: [NotificationID], of user: UserID, dueAt now: Date) async throws(PostgresError) {
    _ = try await client.query(Self.forget(ids, of: user, dueAt: now), planned: .alongIndexes)
  }

  // MARK: Statements

  static func due(at now: Date, limit: Int) -> SQLQuery {
    "SELECT user_id, notification_id FROM snoozes WHERE until <= \(now) ORDER BY until LIMIT \(limit)"
  }

  static func forget(_ ids: [NotificationID], of user: UserID, dueAt now: Date) -> SQLQuery {
    "DELETE FROM snoozes WHERE user_id = \(user) AND notification_id = ANY (\(ids)) AND until <= \(now)"
  }
}
