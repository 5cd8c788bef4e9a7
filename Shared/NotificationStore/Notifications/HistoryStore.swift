public import NotificationModel
public import Postgres

/// Reads what was decided of notifications, and what came of it.
public struct HistoryStore: Sendable {
  private let client: PostgresClient

  public init(client: PostgresClient) {
    self.client = client
  }

  /// One notification of a user; nil if the user has none such.
  ///
  /// It takes both ids: nothing finds a notification by its own alone (decision 0039).
  public func history(
    of id: NotificationID,
    user: UserID
  ) async throws(PostgresError) -> NotificationHistory? {
    let results = try await client.transaction(
      [Self.notification(id, of: user), Self.deliveries(from: id, to: id, of: user)],
      planned: .alongIndexes
    )
    return try Self.histories(results[0], results[1]).first
  }

  /// A user's latest notifications, the newest first, those that never were in the inbox included.
  ///
  /// - Parameter before: Only those with smaller ids; nil begins with the newest.
  public func latest(
    of user: UserID,
    before: NotificationID?,
    limit: Int
  ) async throws(PostgresError) -> [NotificationHistory] {
    let found = try await client.query(
      Self.notifications(of: user, before: before, limit: limit),
      planned: .alongIndexes
    )
    guard let newest = found.first, let oldest = found.last else { return [] }
    let deliveries = Self.deliveries(from: try oldest.get("id"), to: try newest.get("id"), of: user)
    let outcomes = try await client.query(deliveries, planned: .alongIndexes)
    return try Self.histories(found, outcomes)
  }

  private static func histories(
    _ notifications: PostgresResult,
    _ outcomes: PostgresResult
  ) throws(PostgresError) -> [NotificationHistory] {
    var deliveries: [NotificationID: [NotificationHistory.Delivery]] = [:]
    for row in outcomes {
      deliveries[try row.get("notification_id"), default: []].append(try NotificationHistory.Delivery(row))
    }
    var histories: [NotificationHistory] = []
    for row in notifications {
      var history = try NotificationHistory(row)
      history.deliveries = deliveries[history.id] ?? []
      histories.append(history)
    }
    return histories
  }

  static func notification(_ id: NotificationID, of user: UserID) -> SQLQuery {
    """
    SELECT id, request_id, type, in_app, push, email, decisions, created_at, expires_at, read_at
    FROM notifications WHERE user_id = \(user) AND id = \(id)
    """
  }

  /// Ids grow with time, so the partitions are read from the newest on, and no more of them than it takes.
  static func notifications(of user: UserID, before: NotificationID?, limit: Int) -> SQLQuery {
    """
    SELECT id, request_id, type, in_app, push, email, decisions, created_at, expires_at, read_at
    FROM notifications WHERE user_id = \(user) AND id < \(before ?? InboxStore.last)
    ORDER BY id DESC LIMIT \(limit)
    """
  }

  static func deliveries(from: NotificationID, to: NotificationID, of user: UserID) -> SQLQuery {
    """
    SELECT notification_id, channel, target, outcome, reason, provider_id, attempts, finished_at
    FROM deliveries WHERE user_id = \(user) AND notification_id BETWEEN \(from) AND \(to)
    ORDER BY notification_id, channel, target
    """
  }
}

extension NotificationHistory {
  fileprivate init(_ row: PostgresRow) throws(PostgresError) {
    self.init(
      id: try row.get("id"),
      requestID: try row.get("request_id"),
      type: try row.get("type"),
      plan: try RoutingPlan(row),
      createdAt: try row.get("created_at"),
      expiresAt: try row.get("expires_at"),
      readAt: try row.get("read_at")
    )
  }
}

extension NotificationHistory.Delivery {
  fileprivate init(_ row: PostgresRow) throws(PostgresError) {
    self.init(
      channel: Channel(rawValue: try row.get("channel")),
      target: try row.get("target"),
      outcome: try row.get("outcome"),
      reason: try row.get("reason"),
      providerID: try row.get("provider_id"),
      attempts: try row.get("attempts"),
      finishedAt: try row.get("finished_at")
    )
  }
}
