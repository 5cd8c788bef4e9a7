public import Foundation
public import NotificationModel
public import Postgres

/// What waits on a channel until it is due: claimed, settled, removed. ``NotificationStore/store(_:contents:)`` puts it here.
///
/// A claim is a lease. Everything that follows from it names it, so that a claimant who slept past its end changes nothing.
public struct HeldStore: Sendable {
  let client: PostgresClient

  public init(client: PostgresClient) {
    self.client = client
  }

  /// Claims what is due: of the first people by due time, all of their due rows on the channel.
  ///
  /// - Parameters:
  ///   - types: Those that the caller knows; others are left for whoever does.
  ///   - limit: Rows looked at to find these people.
  ///   - until: Later than `now`. Claims that ended count as none.
  public func claim(
    types: [Int],
    limit: Int,
    now: Date,
    until: Date
  ) async throws(PostgresError) -> HeldClaim {
    let rows = try await client.query(
      Self.claim(types: types, limit: limit, now: now, until: until),
      planned: .inIndexOrder
    )
    return try Self.claim(rows, until: until)
  }

  /// The claim's entries as they are stored now; those that are not the claimant's any more are left out.
  ///
  /// To be asked before a claim is worked on again: a settlement whose answer was lost may be stored.
  public func reread(_ claim: HeldClaim) async throws(PostgresError) -> HeldClaim {
    guard !claim.entries.isEmpty else { return claim }
    let rows = try await client.query(Self.read(claim), planned: .alongIndexes)
    return try Self.claim(rows, until: claim.until)
  }

  private static func claim(_ rows: PostgresResult, until: Date) throws(PostgresError) -> HeldClaim {
    var entries: [HeldEntry] = []
    entries.reserveCapacity(rows.count)
    for row in rows { entries.append(try HeldEntry(row)) }
    entries.sort {
      ($0.key.user, $0.key.channel, $0.key.notification) < ($1.key.user, $1.key.channel, $1.key.notification)
    }
    return HeldClaim(until: until, entries: entries)
  }

  /// What notifications say; those that are gone are left out.
  public func contents(
    of notifications: [(user: UserID, id: NotificationID)]
  ) async throws(PostgresError) -> [NotificationID: HeldContent] {
    guard !notifications.isEmpty else { return [:] }
    var contents: [NotificationID: HeldContent] = [:]
    contents.reserveCapacity(notifications.count)
    let rows = try await client.query(Self.contents(notifications), planned: .alongIndexes)
    for row in rows { contents[try row.get("id")] = try HeldContent(row) }
    return contents
  }

  /// Removes what is done with a claim. What waits on has no claim any more, and stays.
  public func finish(_ claim: HeldClaim) async throws(PostgresError) {
    guard !claim.entries.isEmpty else { return }
    _ = try await client.query(Self.finish(claim), planned: .alongIndexes)
  }

  /// Types that the caller does not know, of which something is due and nobody's.
  public func unknownTypes(knowing types: [Int], now: Date) async throws(PostgresError) -> Set<Int> {
    let rows = try await client.query(Self.unknownTypes(types, now: now), planned: .inIndexOrder)
    var unknown: Set<Int> = []
    for row in rows { unknown.insert(try row.get(0)) }
    return unknown
  }

  /// Puts off rows of types that the caller does not know and nobody claimed for a minute, so that they are not in the way of
  /// others. They stay for whoever knows them.
  ///
  /// - Returns: Those types.
  public func putOff(knowing types: [Int], now: Date) async throws(PostgresError) -> Set<Int> {
    let rows = try await client.query(Self.putOff(types, now: now), planned: .inIndexOrder)
    var unknown: Set<Int> = []
    for row in rows { unknown.insert(try row.get(0)) }
    return unknown
  }

  // MARK: Statements

  // The planner cannot know how large the table is: vacuum comes by between two waves and notes that it is empty. So every
  // statement leaves it one way to each row: by the primary key, in a lateral subquery of its own, and from there by its place.

  /// Rows of one person's channel claimed at once; what is beyond comes with the next claim.
  private static let perPerson = 1_000

  /// The lock on a person's channel keeps two claimants from taking half of it each, which would be two pushes. Nobody waits
  /// for anybody: rows that somebody is changing come with the next claim. The sum keeps the index on due times out of where
  /// the primary key is wanted.
  static func claim(types: [Int], limit: Int, now: Date, until: Date) -> SQLQuery {
    let types = types.map { Int16(clamping: $0) }
    return """
      WITH due AS MATERIALIZED (
        SELECT user_id, channel FROM held
        WHERE due_at <= \(now) AND (claimed_until IS NULL OR claimed_until <= \(now)) AND type = ANY (\(types))
        ORDER BY due_at LIMIT \(limit)
      ), people AS MATERIALIZED (
        SELECT DISTINCT user_id, channel FROM due
      ), locked AS MATERIALIZED (
        SELECT user_id, channel FROM people
        WHERE pg_try_advisory_xact_lock(hashtextextended(user_id::text, channel))
      ), free AS MATERIALIZED (
        SELECT h.* FROM locked l CROSS JOIN LATERAL (
          SELECT ctid AS place FROM held
          WHERE user_id = l.user_id AND channel = l.channel AND due_at + interval '0' <= \(now)
            AND (claimed_until IS NULL OR claimed_until <= \(now)) AND type = ANY (\(types))
          ORDER BY notification_id LIMIT \(unescaped: String(perPerson)) FOR UPDATE SKIP LOCKED
        ) h
      )
      UPDATE held h SET claimed_until = \(until) FROM free f
      WHERE h.ctid = f.place
      RETURNING h.user_id, h.notification_id, h.channel, h.due_at, h.reason, h.type, h.digest_key, h.throttle_key,
        h.collapse_key, h.composed_in
      """
  }

  static func read(_ claim: HeldClaim) -> SQLQuery {
    """
    SELECT h.* FROM unnest(
      \(claim.entries.map(\.key.user)), \(claim.entries.map(\.key.notification)), \(claim.entries.map(\.key.code))
    ) AS c(user_id, notification_id, channel)
      CROSS JOIN LATERAL (
        SELECT user_id, notification_id, channel, due_at, reason, type, digest_key, throttle_key, collapse_key, composed_in
        FROM held
        WHERE user_id = c.user_id AND notification_id = c.notification_id AND channel = c.channel
          AND claimed_until = \(claim.until)
        OFFSET 0
      ) h
    """
  }

  /// The lateral subqueries (their OFFSET keeps them apart) let each notification probe the primary keys.
  static func contents(_ notifications: [(user: UserID, id: NotificationID)]) -> SQLQuery {
    """
    SELECT n.*, coalesce(b.unread, 0) AS unread
    FROM unnest(\(notifications.map(\.user)), \(notifications.map(\.id))) AS i(user_id, id)
      CROSS JOIN LATERAL (
        SELECT id, request_id, request_owner, type, title, body, data, related_type, related_id, created_at, expires_at,
          in_app, push, email, decisions, read_at IS NOT NULL AS is_read
        FROM notifications WHERE user_id = i.user_id AND id = i.id OFFSET 0
      ) n
      LEFT JOIN LATERAL (SELECT unread FROM inbox WHERE user_id = i.user_id OFFSET 0) b ON true
    """
  }

  static func finish(_ claim: HeldClaim) -> SQLQuery {
    let keys = claim.inLockOrder
    return """
      WITH done AS MATERIALIZED (
        SELECT p.place FROM unnest(
          \(keys.map(\.user)), \(keys.map(\.notification)), \(keys.map(\.code))
        ) AS c(user_id, notification_id, channel)
          CROSS JOIN LATERAL (
            SELECT ctid AS place FROM held
            WHERE user_id = c.user_id AND notification_id = c.notification_id AND channel = c.channel
              AND claimed_until = \(claim.until)
            FOR UPDATE
          ) p
      )
      DELETE FROM held h USING done d WHERE h.ctid = d.place
      """
  }

  static func unknownTypes(_ types: [Int], now: Date) -> SQLQuery {
    """
    SELECT DISTINCT u.type FROM (
      SELECT type FROM held
      WHERE due_at <= \(now) AND NOT type = ANY (\(types.map { Int16(clamping: $0) }))
        AND (claimed_until IS NULL OR claimed_until <= \(now))
      ORDER BY due_at LIMIT 10000
    ) u
    """
  }

  static func putOff(_ types: [Int], now: Date) -> SQLQuery {
    """
    WITH unknown AS MATERIALIZED (
      SELECT ctid AS place FROM held
      WHERE due_at <= \(now - 60) AND NOT type = ANY (\(types.map { Int16(clamping: $0) }))
        AND (claimed_until IS NULL OR claimed_until <= \(now))
      ORDER BY due_at LIMIT 10000 FOR UPDATE SKIP LOCKED
    )
    UPDATE held h SET due_at = \(now + 600) FROM unknown u
    WHERE h.ctid = u.place
    RETURNING h.type
    """
  }
}

extension HeldEntry.Key {
  var code: Int16 { Int16(clamping: channel.rawValue) }

  init(_ row: PostgresRow) throws(PostgresError) {
    self.init(
      user: try row.get("user_id"),
      notification: try row.get("notification_id"),
      channel: Channel(rawValue: try row.get("channel"))
    )
  }
}

extension HeldEntry {
  init(_ row: PostgresRow) throws(PostgresError) {
    self.init(
      key: try Key(row),
      due: try row.get("due_at"),
      reason: HoldReason(rawValue: try row.get("reason")),
      type: try row.get("type"),
      digestKey: try row.get("digest_key"),
      throttleKey: try row.get("throttle_key"),
      collapseKey: try row.get("collapse_key"),
      composedIn: try row.get("composed_in")
    )
  }
}
