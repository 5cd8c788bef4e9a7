public import Foundation
public import NotificationModel
public import Postgres

/// What decides how long something waits, beside the recipient's settings: digests' windows, and what throttles let through.
extension HeldStore {
  /// What gathers in one window.
  public struct WindowKey: Sendable, Hashable {
    public var user: UserID
    public var channel: Channel
    public var type: Int
    public var key: String

    public init(user: UserID, channel: Channel, type: Int, key: String) {
      self.user = user
      self.channel = channel
      self.type = type
      self.key = key
    }
  }

  /// A notification that would be let through, if its type's throttle has room.
  public struct ThrottleCandidate: Sendable {
    public var user: UserID
    public var notification: NotificationID
    public var type: Int
    public var key: String
    public var throttle: Throttle

    public init(user: UserID, notification: NotificationID, type: Int, key: String, throttle: Throttle) {
      self.user = user
      self.notification = notification
      self.type = type
      self.key = key
      self.throttle = throttle
    }
  }

  /// What a throttle says of a candidate.
  public enum ThrottleAnswer: Sendable, Equatable {
    /// - Parameter isNew: False if the notification was counted before.
    case granted(isNew: Bool)
    /// - Parameter until: When there is room again.
    case refused(until: Date)
  }

  /// The windows that are open: each until the earliest due time, after `now`, of what waits in it.
  public func windows(
    _ keys: Set<WindowKey>,
    now: Date
  ) async throws(PostgresError) -> [WindowKey: DigestWindow] {
    guard !keys.isEmpty else { return [:] }
    let wanted = Array(keys)
    var windows: [WindowKey: DigestWindow] = [:]
    for row in try await client.query(Self.windows(wanted, now: now), planned: .alongIndexes) {
      let position: Int = try row.get(0)
      windows[wanted[position - 1]] = DigestWindow(until: try row.get(1))
    }
    return windows
  }

  /// Counts notifications that are let through, and answers for each, in the same order. Who was counted stays so.
  ///
  /// The users' inboxes are locked, in order of their ids as by ``NotificationStore/store(_:contents:)``, so of any number of
  /// callers no more get through than may.
  public func count(_ candidates: [ThrottleCandidate], now: Date) async throws(PostgresError) -> [ThrottleAnswer] {
    guard !candidates.isEmpty else { return [] }
    let users = Array(Set(candidates.map(\.user))).sorted()
    let rows = try await client.query(
      Self.count(candidates, now: now),
      after: NotificationStore.lock(inboxesOf: users),
      planned: .alongIndexes
    )
    var answers: [ThrottleAnswer] = []
    answers.reserveCapacity(candidates.count)
    for row in rows {
      if let until: Date = try row.get(1) {
        answers.append(.refused(until: until))
      } else {
        answers.append(.granted(isNew: try row.get(0)))
      }
    }
    return answers
  }

  /// How much of a throttle is used up; nothing is counted by asking. Nil is nothing.
  public func use(
    of throttle: Throttle,
    by user: UserID,
    type: Int,
    key: String,
    now: Date
  ) async throws(PostgresError) -> ThrottleUse? {
    let rows = try await client.query(
      """
      SELECT used_at FROM throttle_uses
      WHERE user_id = \(user) AND type = \(Int16(clamping: type)) AND key = \(key)
        AND used_at > \(now)::timestamptz - make_interval(secs => \(Double(throttle.per)))
      ORDER BY used_at DESC LIMIT \(throttle.atMost)
      """
    )
    var oldest: Date?
    for row in rows { oldest = try row.get(0) }
    return oldest.map { ThrottleUse(count: rows.count, freesAt: $0 + Double(throttle.per)) }
  }

  /// Takes back what was counted for notifications that turned out to have been decided before.
  public func discount(_ candidates: [ThrottleCandidate]) async throws(PostgresError) {
    guard !candidates.isEmpty else { return }
    _ = try await client.query(
      """
      DELETE FROM throttle_uses t USING unnest(\(candidates.map(\.user)), \(candidates.map(\.notification))) AS c(user_id, id)
        CROSS JOIN LATERAL (
          SELECT ctid AS place FROM throttle_uses WHERE user_id = c.user_id AND notification_id = c.id OFFSET 0
        ) p
      WHERE t.ctid = p.place
      """
    )
  }

  // MARK: Statements

  static func windows(_ keys: [WindowKey], now: Date) -> SQLQuery {
    """
    SELECT k.position, w.until
    FROM unnest(
      \(keys.map(\.user)), \(keys.map { Int16(clamping: $0.channel.rawValue) }), \(keys.map { Int16(clamping: $0.type) }),
      \(keys.map(\.key))
    ) WITH ORDINALITY AS k(user_id, channel, type, key, position)
      CROSS JOIN LATERAL (
        SELECT min(due_at) AS until FROM (
          SELECT due_at FROM held
          WHERE user_id = k.user_id AND channel = k.channel AND type = k.type AND digest_key = k.key
            AND reason = \(HoldReason.digest.rawValue) OFFSET 0
        ) held WHERE due_at > \(now)
      ) w
    WHERE w.until IS NOT NULL
    """
  }

  static func count(_ candidates: [ThrottleCandidate], now: Date) -> SQLQuery {
    counting.query { query in
      query.bind("user_ids", candidates.map(\.user))
      query.bind("notification_ids", candidates.map(\.notification))
      query.bind("types", candidates.map { Int16(clamping: $0.type) })
      query.bind("keys", candidates.map(\.key))
      query.bind("at_most", candidates.map { Int32(clamping: $0.throttle.atMost) })
      query.bind("seconds", candidates.map { Double($0.throttle.per) })
      query.bind("now", now)
    }
  }

  private static let counting = SQLStatement.embedded("count")
}
