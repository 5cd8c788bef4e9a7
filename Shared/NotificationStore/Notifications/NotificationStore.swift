import Foundation
import JSON
public import NotificationModel
public import Postgres

/// Writes notifications, and the inbox counters with them, in one transaction and one round trip.
public struct NotificationStore: Sendable {
  let client: PostgresClient

  public init(client: PostgresClient) {
    self.client = client
  }

  /// Stores what is not stored yet.
  ///
  /// Users' inbox rows are locked in order of their ids first, so that concurrent calls neither deadlock nor count twice.
  /// Only rows really inserted move the counters. Repeated ids within one call are an error of the caller.
  ///
  /// What waits on a channel is put into `held` as well, by what is stored of it.
  ///
  /// What was stored before keeps what was decided and said then: see ``StoredNotification/former``. What is dated up to the
  /// moment in which its user was erased is not stored: see ``StoredNotification/isErased``.
  ///
  /// - Returns: One result per notification, in the same order.
  public func store(
    _ notifications: [NewNotification],
    contents: [NotificationContent]
  ) async throws(PostgresError) -> [StoredNotification] {
    guard !notifications.isEmpty else { return [] }
    let users = Array(Set(notifications.map(\.userID))).sorted()
    let waiting = notifications.flatMap(WaitingChannel.all)
    let results = try await client.transaction(
      [Self.withoutScans] + Self.lock(inboxesOf: users) + [Self.insert(notifications, contents)]
        + (waiting.isEmpty ? [] : [Self.hold(waiting, contents)])
    )
    var stored: [StoredNotification] = []
    stored.reserveCapacity(notifications.count)
    var homeless: [Int] = []
    for row in results[3] {
      let fate: Int = try row.get(0)
      if fate == Fate.homeless { homeless.append(stored.count) }
      var result = StoredNotification(isNew: fate == Fate.new, seq: try row.get(1), unread: try row.get(2))
      result.isErased = fate == Fate.erased
      stored.append(result)
    }
    if !homeless.isEmpty {
      // Their inboxes were erased between making and locking them, and they are later than that: the next call makes new ones.
      let again = try await store(homeless.map { notifications[$0] }, contents: contents)
      for (index, result) in zip(homeless, again) { stored[index] = result }
    }
    let repeated = stored.indices.filter { !stored[$0].isNew && !stored[$0].isErased && !homeless.contains($0) }
    guard !repeated.isEmpty else { return stored }
    for row in try await client.transaction([Self.withoutScans, Self.former(repeated.map { notifications[$0] })])[1] {
      let position: Int = try row.get("position")
      stored[repeated[position - 1]].former = try StoredNotification.Former(row)
    }
    return stored
  }

  /// What becomes of a notification, as the statement that stores them says it.
  private enum Fate {
    static let new = 1
    static let erased = 2
    /// There is no inbox that this transaction has locked.
    static let homeless = 3
  }

  /// The inboxes of users, made where missing and locked until the transaction ends.
  ///
  /// - Parameter users: In order of their ids.
  static func lock(inboxesOf users: [UserID]) -> [SQLQuery] {
    [
      "INSERT INTO inbox (user_id) SELECT unnest(\(users)) ON CONFLICT DO NOTHING",
      """
      SELECT 1 FROM unnest(\(users)) AS u(user_id) JOIN inbox b ON b.user_id = u.user_id
      ORDER BY b.user_id FOR UPDATE OF b
      """,
    ]
  }

  /// For this transaction. A plan that was made while a partition was empty would read it whole for every notification
  /// until it is made anew, long after the week has begun.
  static let withoutScans: SQLQuery = "SELECT set_config('enable_seqscan', 'off', true)"

  /// The lateral subqueries (their OFFSET keeps them apart) let each notification probe the primary keys; plain joins were
  /// hashed. Who was erased is asked under the lock on the inbox, which erasing takes after it has left its mark, so nothing
  /// comes in between. An inbox is ours if this transaction locked it: one that somebody made after ours was erased is not.
  /// Inboxes that were made for nothing but what is erased go again. A `seq` never comes again: after an erasure they go on from its
  /// moment in milliseconds, which none has reached before, and what was is forgotten (decision 0070).
  ///
  /// What is new is counted for the statistics: a row of this connection's own for each day and type, of which there is nearly
  /// always one. They are few, so they are sorted after they are counted.
  static func insert(_ notifications: [NewNotification], _ contents: [NotificationContent]) -> SQLQuery {
    insert(
      notifications,
      contents,
      hasSiblings: notifications.contains { $0.siblings != nil },
      days: StatStore.Days(of: notifications.lazy.map(\.id))
    )
  }

  private static func insert(
    _ notifications: [NewNotification],
    _ contents: [NotificationContent],
    hasSiblings: Bool,
    days: StatStore.Days
  ) -> SQLQuery {
    """
    WITH content AS (
      SELECT * FROM unnest(
        \(contents.map { Int16($0.type) }), \(contents.map(\.title)), \(contents.map(\.body)),
        \(contents.map { json(of: $0.data) }), \(contents.map(\.relatedEntityType)),
        \(contents.map(\.relatedEntityId)), \(contents.map(\.createdAt)), \(contents.map(\.expiresAt))
      ) WITH ORDINALITY AS c(type, title, body, data, related_type, related_id, created_at, expires_at, position)
    ), input AS (
      SELECT * FROM unnest(
        \(notifications.map(\.userID)), \(notifications.map(\.id)), \(notifications.map(\.requestID)),
        \(notifications.map { Int32($0.content + 1) }), \(notifications.map { $0.plan.code(.inApp) }),
        \(notifications.map { $0.plan.code(.push) }), \(notifications.map { $0.plan.code(.email) }),
        \(further(notifications)), \(hasSiblings ? notifications.map { $0.siblings?.lowerBound } : []),
        \(hasSiblings ? notifications.map { $0.siblings?.upperBound } : []), \(owners(of: notifications))
      ) WITH ORDINALITY AS i(user_id, id, request_id, content, in_app, push, email, decisions, first, beyond, owner, position)
    ), known AS (
      SELECT i.*, b.unread, b.seq AS own_seq, greatest(b.seq, e.first_seq) AS last_seq, b.last_id, b.place,
        n.seq AS stored_seq, CASE WHEN e.is_erased THEN 2 WHEN b.is_ours IS NOT TRUE THEN 3 WHEN n.seq IS NULL THEN 1 ELSE 0 END AS fate
      FROM input i
        LEFT JOIN LATERAL (
          SELECT unread, seq, last_id, ctid AS place, xmax = pg_current_xact_id()::xid AS is_ours
          FROM inbox WHERE user_id = i.user_id OFFSET 0
        ) b ON true
        LEFT JOIN LATERAL (\(unescaped: hasSiblings ? Self.sibling : Self.same) OFFSET 0) n ON true
        LEFT JOIN LATERAL (
          SELECT erased_at >= (\(contents.map(\.createdAt))::timestamptz[])[i.content] AS is_erased,
            (extract(epoch FROM erased_at) * 1000)::int8 AS first_seq
          FROM erased_users WHERE user_id = i.user_id OFFSET 0
        ) e ON true
    ), judged AS (
      SELECT *, in_app = \(literal: .inbox) AND fate = 1 AS counts FROM known
    ), placed AS (
      SELECT *, coalesce(stored_seq, last_seq + count(*) FILTER (WHERE counts) OVER so_far) AS seq,
        id < greatest(last_id, (max(id::text COLLATE "C") FILTER (WHERE counts) OVER so_far)::uuid) IS TRUE AS is_late
      FROM judged
      WINDOW so_far AS (PARTITION BY user_id ORDER BY position)
    ), tallies AS MATERIALIZED (
      SELECT (\(days.numbers)::int4[])[width_bucket(id, \(days.firsts)::uuid[])] AS day,
        (\(contents.map { Int16($0.type) })::int2[])[content] AS type, count(*) FILTER (WHERE fate = 1) AS sent,
        count(*) FILTER (WHERE counts) AS delivered
      FROM placed GROUP BY 1, 2
    ), tallied AS (
      INSERT INTO stats (day, type, channel, slot, sent, delivered)
      SELECT date '1970-01-01' + day, type, 0, \(unescaped: StatStore.slot), sent, delivered FROM tallies WHERE sent > 0
      ORDER BY day, type
      ON CONFLICT (day, type, channel, slot) DO UPDATE SET
        sent = stats.sent + excluded.sent, delivered = stats.delivered + excluded.delivered
    ), inserted AS (
      INSERT INTO notifications (user_id, id, request_id, request_owner, type, title, body, data, related_type, related_id,
        in_app, push, email, decisions, seq, is_late, created_at, expires_at)
      SELECT p.user_id, p.id, p.request_id, p.owner, c.type, c.title, c.body, c.data, c.related_type, c.related_id,
        p.in_app, p.push, p.email, p.decisions, p.seq, p.is_late, c.created_at, c.expires_at
      FROM placed p JOIN content c ON c.position = p.content
      WHERE p.fate = 1
    ), emptied AS (
      DELETE FROM inbox WHERE ctid = ANY (ARRAY(
        SELECT place FROM placed p WHERE fate = 2 AND own_seq = 0
          AND NOT EXISTS (SELECT FROM placed o WHERE o.user_id = p.user_id AND o.fate <> 2)
      ))
    ), counted AS (
      UPDATE inbox b SET unread = b.unread + d.count, total = b.total + d.count, seq = d.last_seq + d.count,
        last_id = greatest(b.last_id, d.last_id), change = greatest(b.change, d.first_seq),
        lost_change = greatest(b.lost_change, d.first_seq), lost_seq = greatest(b.lost_seq, d.first_seq)
      FROM (
        SELECT user_id, count(*) AS count, max(id::text COLLATE "C")::uuid AS last_id, max(last_seq) AS last_seq,
          max(last_seq) FILTER (WHERE last_seq > own_seq) AS first_seq
        FROM placed WHERE counts GROUP BY user_id
      ) d
      WHERE b.user_id = d.user_id
      RETURNING b.user_id, b.unread
    )
    SELECT p.fate, coalesce(p.seq, 0), coalesce(c.unread, p.unread, 0)
    FROM placed p LEFT JOIN counted c ON c.user_id = p.user_id
    ORDER BY p.position
    """
  }

  /// What is stored under a notification's own id.
  private static let same = "SELECT seq FROM notifications WHERE user_id = i.user_id AND id = i.id"
  /// Or, of the same request, under another id: a range of the primary key.
  private static let sibling = """
    SELECT seq FROM notifications WHERE user_id = i.user_id AND id >= coalesce(i.first, i.id)
      AND id < coalesce(i.beyond, i.id) AND request_id = i.request_id
    UNION ALL
    \(same)
    LIMIT 1
    """

  /// Nothing at all, which `unnest` fills up with NULLs, where the columns say everything.
  private static func further(_ notifications: [NewNotification]) -> [PostgresJSON?] {
    let further = notifications.map(\.plan.further)
    return further.allSatisfy { $0 == nil } ? [] : further
  }

  /// As ``further(_:)``, of what no service has sent through a gateway.
  private static func owners(of notifications: [NewNotification]) -> [String?] {
    notifications.contains { $0.owner != nil } ? notifications.map(\.owner) : []
  }

  static func json(of data: [String: String]) -> PostgresJSON? {
    data.isEmpty ? nil : PostgresJSON(text: JSONWriter.object(data))
  }
}
