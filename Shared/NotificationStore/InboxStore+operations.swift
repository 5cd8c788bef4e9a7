public import Foundation
public import NotificationModel
public import Postgres

/// What users do with their notifications. Everything here locks the user's inbox first, as all do that change rows which it
/// counts: so counters move by what really changed, and nobody deadlocks.
extension InboxStore {
  /// Applies an operation to notifications; what is so already, or not there, is passed over.
  ///
  /// - Parameters:
  ///   - ids: Nil means all of the inbox: the unread ones to read, the unseen ones to see, the read ones to delete. Nothing
  ///     else is done to all.
  ///   - now: When it is done, and what is due.
  public func apply(
    _ operation: InboxOperation,
    to ids: [NotificationID]?,
    of user: UserID,
    at now: Date
  ) async throws(PostgresError) -> InboxChange {
    // The last statement sees what a concurrent caller did while the second waited for it.
    let results = try await client.transaction([
      NotificationStore.withoutScans, Self.lock(user), Self.apply(operation, to: ids, of: user, at: now),
    ])
    return try InboxChange(operation, results[2])
  }

  // MARK: Statements

  /// Ids that marking many answers: where there are more, connections are told the count alone.
  public static let maximumMarked = 100
  /// Changes that are kept of a user.
  static let maximumChanges = 500

  /// Until the transaction ends.
  static func lock(_ user: UserID) -> SQLQuery { "SELECT 1 FROM inbox WHERE user_id = \(user) FOR UPDATE" }

  /// Each id is a probe of the primary key: by an array of ids PostgreSQL would rather read all of a user's in a week that it
  /// thinks young. For the same reason the update has the user from what was found. What is meant where no ids are given is looked up
  /// only then. Rows are locked in the order of their ids, as all do who change several.
  ///
  /// What became of more than a few is not written down: then what was is forgotten too, and whoever asks loads the list.
  static func apply(
    _ operation: InboxOperation,
    to ids: [NotificationID]?,
    of user: UserID,
    at now: Date
  ) -> SQLQuery {
    """
    WITH moment AS (
      SELECT \(now)::timestamptz AS now, \(operation.until)::timestamptz AS until
    ), before AS MATERIALIZED (
      SELECT n.user_id, n.id, n.in_app, n.read_at, n.seen_at
      FROM (
        SELECT DISTINCT unnest(coalesce(\(ids), ARRAY(
          SELECT id FROM notifications WHERE user_id = \(user) AND \(unescaped: operation.all)))) AS id
        ORDER BY id
      ) wanted
        CROSS JOIN LATERAL (
          SELECT user_id, id, in_app, read_at, seen_at FROM notifications
          WHERE user_id = \(user) AND id = wanted.id AND \(unescaped: operation.condition)
          OFFSET 0 FOR UPDATE
        ) n
    ), changed AS (
      UPDATE notifications SET \(unescaped: operation.assignments)
      FROM (SELECT user_id AS owner, id AS found FROM before) f
      WHERE user_id = f.owner AND id = f.found
      RETURNING \(unescaped: InboxItem.columns), in_app
    ), moved AS (
      SELECT count(*) AS count, count(*) <= \(maximumMarked) AS is_told,
        count(*) FILTER (WHERE c.in_app = 0) - count(*) FILTER (WHERE b.in_app = 0) AS total,
        count(*) FILTER (WHERE c.in_app = 0 AND c.read_at IS NULL)
          - count(*) FILTER (WHERE b.in_app = 0 AND b.read_at IS NULL) AS unread,
        count(*) FILTER (WHERE c.in_app = 0 AND c.read_at IS NULL AND c.seen_at IS NOT NULL)
          - count(*) FILTER (WHERE b.in_app = 0 AND b.read_at IS NULL AND b.seen_at IS NOT NULL) AS seen_unread
      FROM changed c JOIN before b ON b.id = c.id
    ), pruned AS (
      DELETE FROM inbox_changes WHERE user_id = \(user) AND change <= (
        SELECT CASE WHEN m.count = 0 THEN 0 WHEN m.is_told THEN b.change + m.count - \(maximumChanges) ELSE b.change END
        FROM moved m CROSS JOIN inbox b WHERE b.user_id = \(user))
      RETURNING after_seq
    ), counted AS (
      UPDATE inbox b SET total = greatest(0, b.total + m.total), unread = greatest(0, b.unread + m.unread),
        seen_unread = CASE WHEN \(ids == nil && operation == .seen) THEN greatest(0, b.unread + m.unread)
          ELSE least(greatest(0, b.unread + m.unread), greatest(0, b.seen_unread + m.seen_unread)) END,
        change = b.change + CASE WHEN m.is_told THEN m.count ELSE 1 END,
        lost_change = greatest(b.lost_change,
          b.change + CASE WHEN m.is_told THEN m.count - \(maximumChanges) ELSE 1 END),
        lost_seq = greatest(b.lost_seq, CASE WHEN NOT m.is_told THEN b.seq END, (SELECT max(after_seq) FROM pruned))
      FROM moved m
      WHERE b.user_id = \(user) AND (m.count > 0 OR (\(ids == nil && operation == .seen) AND b.seen_unread <> b.unread))
      RETURNING b.unread, b.total, b.seen_unread, b.seq, b.change
    ), noted AS (
      INSERT INTO inbox_changes (user_id, change, after_seq, notification_id, at)
      SELECT \(user), k.change - m.count + row_number() OVER (ORDER BY c.id), k.seq, c.id, o.now
      FROM changed c CROSS JOIN counted k CROSS JOIN moved m CROSS JOIN moment o
      WHERE m.is_told
    ), put_off AS (
      INSERT INTO snoozes (user_id, notification_id, until)
      SELECT \(user), id, snoozed_until FROM changed WHERE in_app = 19 AND snoozed_until IS NOT NULL
      ON CONFLICT (user_id, notification_id) DO UPDATE SET until = excluded.until
    ), woken AS (
      DELETE FROM snoozes WHERE user_id = \(user) AND notification_id = ANY (ARRAY(
        SELECT b.id FROM before b JOIN changed c ON c.id = b.id WHERE b.in_app = 19 AND c.in_app <> 19))
    )
    SELECT m.count, coalesce(k.unread, i.unread, 0) AS unread, coalesce(k.total, i.total, 0) AS total,
      coalesce(k.seen_unread, i.seen_unread, 0) AS seen_unread, c.*
    FROM moved m
      LEFT JOIN counted k ON true
      LEFT JOIN (SELECT unread, total, seen_unread FROM inbox WHERE user_id = \(user)) i ON true
      LEFT JOIN (SELECT * FROM changed ORDER BY id LIMIT \(maximumMarked)) c ON true
    ORDER BY c.id
    """
  }
}

extension InboxChange {
  /// - Parameter rows: Of ``InboxStore/apply(_:to:of:at:)``'s statement.
  init(_ operation: InboxOperation, _ rows: PostgresResult) throws(PostgresError) {
    guard let first = rows.first else { preconditionFailure("the counts stand in a row of their own") }
    var items: [InboxItem] = []
    for row in rows where try row.get("id", as: NotificationID?.self) != nil { items.append(try InboxItem(row)) }
    self.init(operation: operation, count: try first.get("count"), items: items, counts: try InboxStore.Counts(first))
  }
}

extension InboxStore.Counts {
  init(_ row: PostgresRow) throws(PostgresError) {
    let unread: Int = try row.get("unread")
    self.init(
      unread: unread,
      total: try row.get("total"),
      unseen: max(0, unread - (try row.get("seen_unread", as: Int.self)))
    )
  }
}
