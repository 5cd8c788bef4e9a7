public import Foundation
public import NotificationModel
public import Postgres

/// Finds what came of deliveries to devices and addresses, the newest outcomes first.
public struct DeliverySearch: Sendable {
  /// What is looked for; nil is whatever there is, but of nobody and no request in particular only what was not delivered.
  public struct Filter: Sendable, Equatable {
    public var user: UserID?
    public var request: RequestID?
    public var outcome: DeliveryOutcome?
    /// Outcomes since then.
    public var since: Date?

    public init(user: UserID? = nil, request: RequestID? = nil, outcome: DeliveryOutcome? = nil, since: Date? = nil) {
      self.user = user
      self.request = request
      self.outcome = outcome
      self.since = since
    }

    /// Whether an index leads to it. Nearly all is delivered, so that alone leads nowhere.
    public var isIndexed: Bool { user != nil || request != nil || outcome != .delivered }
  }

  /// The outcome of one target of one channel of a notification, or of a push to a topic.
  public struct Entry: Sendable, Equatable {
    /// Whose notification it is; nil of a topic.
    public struct Recipient: Sendable, Equatable {
      public var user: UserID
      public var notification: NotificationID
    }

    public var recipient: Recipient?
    /// What the target is, if it is no device's: as ``TopicDelivery/audience``.
    public var audience: String?
    public var request: RequestID
    /// Code of the notification's type.
    public var type: Int
    public var delivery: NotificationHistory.Delivery

    /// Where the next page begins.
    public var cursor: Cursor {
      Cursor(
        finishedAt: delivery.finishedAt,
        user: recipient?.user ?? DeliverySearch.nobody,
        notification: recipient?.notification ?? NotificationID(request.uuid),
        channel: delivery.channel,
        target: recipient == nil ? "" : delivery.target
      )
    }
  }

  /// A place in the list, to the microsecond.
  public struct Cursor: Sendable, Equatable {
    public var finishedAt: Date
    public var user: UserID
    public var notification: NotificationID
    public var channel: Channel
    public var target: String

    public init(finishedAt: Date, user: UserID, notification: NotificationID, channel: Channel, target: String) {
      self.finishedAt = finishedAt
      self.user = user
      self.notification = notification
      self.channel = channel
      self.target = target
    }

    /// Before all that there is.
    static let first = Cursor(
      finishedAt: .distantFuture,
      user: UserID(InboxStore.last.uuid),
      notification: InboxStore.last,
      channel: Channel(rawValue: Int(Int16.max)),
      target: ""
    )
  }

  /// Recipients of a request that is searched without naming a user: a tenth of a second of the database's time.
  public static let maximumRecipients = 10_000

  /// In the place of a user.
  static let nobody = UserID(.beforeAll)

  let client: PostgresClient
  var maximumRecipients = Self.maximumRecipients

  public init(client: PostgresClient) {
    self.client = client
  }

  /// A page; nil for a request to more than ``maximumRecipients``, none of whom is named.
  ///
  /// - Parameters:
  ///   - filter: One that is ``Filter/isIndexed``.
  ///   - cursor: Of the last entry of the page before; nil begins with the newest.
  public func page(
    _ filter: Filter,
    after cursor: Cursor? = nil,
    limit: Int
  ) async throws(PostgresError) -> (entries: [Entry], hasMore: Bool)? {
    let rows: PostgresResult
    let cursor = cursor ?? .first
    if let user = filter.user {
      rows = try await client.query(
        Self.of(user, filter, after: cursor, limit: limit + 1),
        planned: .byIndexScansWithoutJIT
      )
    } else if let request = filter.request {
      let results = try await client.transaction(
        [
          Self.recipients(of: request, limit: maximumRecipients + 1),
          Self.of(request, filter, recipients: maximumRecipients, after: cursor, limit: limit + 1),
        ],
        planned: .byIndexScansWithoutJIT
      )
      guard try results[0].first?.get(0, as: Int.self) ?? 0 <= maximumRecipients else { return nil }
      rows = results[1]
    } else {
      precondition(filter.isIndexed, "no index leads to what is looked for")
      let outcomes = filter.outcome.map { [$0] } ?? Self.failures
      rows = try await client.query(
        Self.failed(outcomes, since: filter.since, after: cursor, limit: limit + 1),
        planned: .inIndexOrderWithoutJIT
      )
    }
    var entries: [Entry] = []
    for row in rows { entries.append(try Entry(row)) }
    if filter.user == nil {
      let topics = try await topics(filter, after: cursor, limit: limit + 1)
      if !topics.isEmpty { entries = Self.merged(entries, topics) }
    }
    return (Array(entries.prefix(limit)), entries.count > limit)
  }

  // MARK: Statements

  private static let columns = """
    d.user_id, d.notification_id, n.request_id, n.type, d.channel, d.target, d.outcome, d.reason, d.provider_id, d.attempts,
      d.finished_at
    """

  private static let stored =
    "user_id, notification_id, channel, target, outcome, reason, provider_id, attempts, finished_at"

  private static let order =
    "ORDER BY d.finished_at DESC, d.user_id DESC, d.notification_id DESC, d.channel DESC, d.target DESC"

  /// What the index of failures has.
  static let failures = DeliveryOutcome.allCases.filter { $0 != .delivered }

  /// A page of each outcome along the index, and of those the newest. Said twice, for the index has only what was not delivered,
  /// whatever the parameter is. Where a notification is gone, its outcomes are passed over, and the page goes on behind them.
  static func failed(_ outcomes: [DeliveryOutcome], since: Date?, after cursor: Cursor, limit: Int) -> SQLQuery {
    """
    SELECT d.*
    FROM unnest(\(outcomes.map(\.rawValue))) AS o(outcome)
      CROSS JOIN LATERAL (
        SELECT \(unescaped: columns)
        FROM deliveries d
          CROSS JOIN LATERAL (
            SELECT request_id, type FROM notifications WHERE user_id = d.user_id AND id = d.notification_id OFFSET 0
          ) n
        WHERE d.outcome = o.outcome AND d.outcome <> 1 AND d.finished_at >= \(since ?? .distantPast)
          AND (d.finished_at, d.user_id, d.notification_id, d.channel, d.target) < (\(cursor.finishedAt)::timestamptz,
            \(cursor.user)::uuid, \(cursor.notification)::uuid, \(Int16(clamping: cursor.channel.rawValue))::int2,
            \(cursor.target)::text)
        \(unescaped: order) LIMIT \(limit)
      ) d
    \(unescaped: order) LIMIT \(limit)
    """
  }

  /// It costs what the user's outcomes do, few or many.
  static func of(_ user: UserID, _ filter: Filter, after cursor: Cursor, limit: Int) -> SQLQuery {
    """
    SELECT \(unescaped: columns)
    FROM (
      SELECT \(unescaped: stored) FROM deliveries
      WHERE user_id = \(user) AND outcome = coalesce(\(filter.outcome?.rawValue), outcome)
        AND finished_at >= \(filter.since ?? .distantPast)
        AND (finished_at, user_id, notification_id, channel, target) < (\(cursor.finishedAt)::timestamptz, \(cursor.user)::uuid,
          \(cursor.notification)::uuid, \(Int16(clamping: cursor.channel.rawValue))::int2, \(cursor.target)::text)
      OFFSET 0
    ) d
      CROSS JOIN LATERAL (
        SELECT request_id, type FROM notifications WHERE user_id = d.user_id AND id = d.notification_id OFFSET 0
      ) n
    WHERE n.request_id = coalesce(\(filter.request), n.request_id)
    \(unescaped: order) LIMIT \(limit)
    """
  }

  static func recipients(of request: RequestID, limit: Int) -> SQLQuery {
    "SELECT count(*) FROM (SELECT 1 FROM notifications WHERE request_id = \(request) LIMIT \(limit)) n"
  }

  /// It costs what the request's recipients do, of whom there are no more than `recipients`.
  static func of(
    _ request: RequestID,
    _ filter: Filter,
    recipients: Int,
    after cursor: Cursor,
    limit: Int
  ) -> SQLQuery {
    """
    WITH notified AS MATERIALIZED (
      SELECT user_id, id, request_id, type FROM notifications WHERE request_id = \(request) LIMIT \(recipients)
    )
    SELECT \(unescaped: columns)
    FROM notified n
      CROSS JOIN LATERAL (
        SELECT \(unescaped: stored) FROM deliveries
        WHERE user_id = n.user_id AND notification_id = n.id AND outcome = coalesce(\(filter.outcome?.rawValue), outcome)
          AND finished_at >= \(filter.since ?? .distantPast)
          AND (finished_at, user_id, notification_id, channel, target) < (\(cursor.finishedAt)::timestamptz, \(cursor.user)::uuid,
            \(cursor.notification)::uuid, \(Int16(clamping: cursor.channel.rawValue))::int2, \(cursor.target)::text)
        OFFSET 0
      ) d
    \(unescaped: order) LIMIT \(limit)
    """
  }
}

extension DeliverySearch.Entry {
  fileprivate init(_ row: PostgresRow) throws(PostgresError) {
    recipient = Recipient(user: try row.get("user_id"), notification: try row.get("notification_id"))
    request = try row.get("request_id")
    type = try row.get("type")
    delivery = NotificationHistory.Delivery(
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
