public import Foundation
public import NotificationModel
public import Postgres

/// Outcomes of deliveries: one row per notification, channel and target, written once there is an outcome.
public struct DeliveryStore: Sendable {
  /// What became of one delivery.
  public struct Record: Sendable {
    public var userID: UserID
    public var notificationID: NotificationID
    public var channel: Channel
    /// Device id, or mail address; the text of a topic or condition.
    public var target: String
    public var outcome: DeliveryOutcome
    /// The provider's code or our own reason; nil for a plain success.
    public var reason: String?
    /// The provider's id of the message.
    public var providerID: String?
    public var attempts: Int
    /// Code of the notification's type, for the statistics; what has none is not counted.
    public var type: Int?
    /// When the notification is dated; nil is as its id says. Of a user who was erased then or later nothing is recorded.
    public var createdAt: Date?
    /// What the target is, if it is no device and no address: then the notification's id is the request's, and the user is nobody.
    public var audience: PushAudience?

    public init(
      userID: UserID,
      notificationID: NotificationID,
      channel: Channel,
      target: String,
      outcome: DeliveryOutcome,
      reason: String? = nil,
      providerID: String? = nil,
      attempts: Int,
      type: Int? = nil,
      createdAt: Date? = nil,
      audience: PushAudience? = nil
    ) {
      self.userID = userID
      self.notificationID = notificationID
      self.channel = channel
      self.target = target
      self.outcome = outcome
      self.reason = reason
      self.providerID = providerID
      self.attempts = attempts
      self.type = type
      self.createdAt = createdAt
      self.audience = audience
    }
  }

  /// One target of one notification.
  public struct Key: Hashable, Sendable {
    public var notificationID: NotificationID
    public var target: String

    public init(notificationID: NotificationID, target: String) {
      self.notificationID = notificationID
      self.target = target
    }
  }

  let client: PostgresClient

  public init(client: PostgresClient) {
    self.client = client
  }

  /// Writes outcomes in one statement, and in one more those of topics. A delivery once recorded as delivered stays so, and
  /// one that is uncertain is not written again for the same attempt, nor by what was not tried; of several outcomes of one target in
  /// one call the last counts, unless one is a delivery. Nothing is written of notifications whose user was erased since:
  /// whoever erases waits for statements that did not see the mark (``ErasureStore``).
  ///
  /// Rows are written in the order of their keys, so that concurrent calls do not deadlock. In the same statement they are
  /// counted: a row of this connection's own for each day, type and channel, where there is nearly always one.
  public func record(_ records: [Record]) async throws(PostgresError) {
    guard records.contains(where: { $0.audience != nil }) else {
      if records.isEmpty { return }
      _ = try await client.query(Self.recording(records))
      return
    }
    let people = records.filter { $0.audience == nil }
    let topics = Self.recording(topics: records.filter { $0.audience != nil })
    _ = try await client.transaction(people.isEmpty ? [topics] : [Self.recording(people), topics])
  }

  private static func recording(_ records: [Record]) -> SQLQuery {
    recording(records, StatStore.Days(of: records.lazy.map(\.notificationID)))
  }

  static func recording(_ records: [Record], _ days: StatStore.Days) -> SQLQuery {
    Self.recording.query { query in
      query.bind("user_ids", records.map(\.userID))
      query.bind("notification_ids", records.map(\.notificationID))
      query.bind("channels", records.map { Int16($0.channel.rawValue) })
      query.bind("targets", records.map(\.target))
      query.bind("outcomes", records.map(\.outcome.rawValue))
      query.bind("reasons", records.map(\.reason))
      query.bind("provider_ids", records.map(\.providerID))
      query.bind("attempts", records.map { Int16(clamping: $0.attempts) })
      query.bind("types", records.map { $0.type.map(Int16.init(clamping:)) })
      query.bind("created_at", records.map { $0.createdAt ?? $0.notificationID.time })
      query.bind("days", days.numbers)
      query.bind("first_ids", days.firsts)
    }
  }

  private static let delivered = String(DeliveryOutcome.delivered.rawValue)
  private static let isReplaceable = "deliveries.outcome <> \(delivered)"
  /// Uncertain is written again where a commit's answer was lost, or two write at once: that is no second attempt.
  /// What was not tried again may still have arrived: that it is too late or not wanted any more says nothing of the first time.
  private static let isWrittenAgain = """
    deliveries.outcome = \(uncertain) AND (
      excluded.outcome = \(uncertain) AND excluded.attempts <= deliveries.attempts
      OR excluded.outcome = \(expired)
      OR excluded.outcome = \(rejected) AND coalesce(excluded.reason IN (\(objections)), false)
    )
    """
  private static let expired = String(DeliveryOutcome.expired.rawValue)
  private static let rejected = String(DeliveryOutcome.rejected.rawValue)
  /// No provider says this.
  private static let objections = SkipReason.ofWaitingMails.map { "'\($0.name)'" }.joined(separator: ", ")
  private static let uncertain = String(DeliveryOutcome.uncertain.rawValue)
  private static let recording = SQLStatement.embedded(
    "record",
    constants: [
      "delivered": delivered, "replaceable": "\(isReplaceable) AND NOT (\(isWrittenAgain))", "slot": StatStore.slot,
    ]
  )

  /// Those of the users' targets on `channel` that already have a final outcome, among the given notifications. One that is uncertain
  /// has, once an attempt before it was: then it was repeated.
  public func finished(
    _ notifications: [(user: UserID, id: NotificationID)],
    channel: Channel
  ) async throws(PostgresError) -> Set<Key> {
    let rows = try await client.query(
      """
      SELECT n.id, d.target
      FROM unnest(\(notifications.map(\.user)), \(notifications.map(\.id))) AS n(user_id, id)
        CROSS JOIN LATERAL (
          SELECT target FROM deliveries
          WHERE user_id = n.user_id AND notification_id = n.id AND channel = \(Int16(channel.rawValue))
            AND outcome <> \(DeliveryOutcome.exhausted.rawValue)
            AND (outcome <> \(DeliveryOutcome.uncertain.rawValue) OR former = \(DeliveryOutcome.uncertain.rawValue))
          OFFSET 0
        ) d
      """
    )
    var finished: Set<Key> = []
    for row in rows { finished.insert(Key(notificationID: try row.get(0), target: try row.get(1))) }
    return finished
  }
}
