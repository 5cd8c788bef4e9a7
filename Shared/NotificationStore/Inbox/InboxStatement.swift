import Foundation
import NotificationModel
import Postgres

/// The statement of an operation: what is the operation's own (``InboxOperationSQL``) within what all have in common, step by
/// step. The transaction has locked the user's inbox before.
struct InboxStatement {
  // The parameters, in every step the same.
  static let user = "$1"
  static let ids = "$2"
  static let now = "$3"
  static let until = "$4"

  private let operation: InboxOperationSQL
  /// Whether all of the inbox is meant, and not notifications that are named.
  private let isForAll: Bool
  private let isSeeingAll: Bool

  init(_ operation: InboxOperation, isForAll: Bool) {
    self.operation = operation.sql
    self.isForAll = isForAll
    isSeeingAll = isForAll && operation == .seen
  }

  func query(_ ids: [NotificationID]?, of user: UserID, at now: Date, until: Date?) -> SQLQuery {
    SQLQuery(unescaped: text, binding: user, ids, now, until)
  }

  var text: String {
    let steps = [found, changed, moved, pruned, counted, noted] + snoozes
    return "WITH \(steps.joined(separator: ", "))\n\(answer)"
  }

  // MARK: The notifications

  /// The rows that the operation changes, as they were. Each id is a probe of the primary key: by an array of ids PostgreSQL
  /// would rather read all of a user's in a week that it thinks young. Rows are locked in the order of their ids, as all do who
  /// change several.
  private var found: String {
    """
    found AS MATERIALIZED (
      SELECT n.user_id, n.id, n.in_app, n.read_at, n.seen_at
      FROM (SELECT DISTINCT unnest(\(meant)) AS id ORDER BY id) meant
        CROSS JOIN LATERAL (
          SELECT user_id, id, in_app, read_at, seen_at FROM notifications
          WHERE user_id = \(Self.user) AND id = meant.id AND \(operation.condition)
          OFFSET 0 FOR UPDATE
        ) n
    )
    """
  }

  private var meant: String {
    guard isForAll else { return Self.ids }
    return "ARRAY(SELECT id FROM notifications WHERE user_id = \(Self.user) AND \(operation.all ?? "false"))"
  }

  /// The same rows as they are now. They have the user from what was found, for the reason that is given there.
  private var changed: String {
    """
    changed AS (
      UPDATE notifications SET \(operation.assignments)
      FROM (SELECT user_id AS owner, id AS known FROM found) f
      WHERE user_id = f.owner AND id = f.known
      RETURNING \(InboxItem.columns), in_app
    )
    """
  }

  // MARK: The inbox's counters

  /// By how much the counters move: those of the inbox count, as they are now, less as they were.
  private var moved: String {
    let inbox = "in_app = \(InboxState.inbox.sql)"
    return """
      moved AS (
        SELECT count(*) AS count, count(*) <= \(InboxStore.maximumMarked) AS is_told,
          count(*) FILTER (WHERE c.\(inbox)) - count(*) FILTER (WHERE f.\(inbox)) AS total,
          count(*) FILTER (WHERE c.\(inbox) AND c.read_at IS NULL)
            - count(*) FILTER (WHERE f.\(inbox) AND f.read_at IS NULL) AS unread,
          count(*) FILTER (WHERE c.\(inbox) AND c.read_at IS NULL AND c.seen_at IS NOT NULL)
            - count(*) FILTER (WHERE f.\(inbox) AND f.read_at IS NULL AND f.seen_at IS NOT NULL) AS seen_unread
        FROM changed c JOIN found f ON f.id = c.id
      )
      """
  }

  /// Seeing all puts right what the release before left too high (decision 0043): whatever is unread is seen then.
  private var counted: String {
    let unread = "greatest(0, b.unread + m.unread)"
    let seenUnread = isSeeingAll ? unread : "least(\(unread), greatest(0, b.seen_unread + m.seen_unread))"
    let isDue = isSeeingAll ? "(m.count > 0 OR b.seen_unread <> b.unread)" : "m.count > 0"
    return """
      counted AS (
        UPDATE inbox b SET total = greatest(0, b.total + m.total), unread = \(unread),
          seen_unread = \(seenUnread),
          change = b.change + CASE WHEN m.is_told THEN m.count ELSE 1 END,
          lost_change = greatest(b.lost_change,
            b.change + CASE WHEN m.is_told THEN m.count - \(InboxStore.maximumChanges) ELSE 1 END),
          lost_seq = greatest(b.lost_seq, CASE WHEN NOT m.is_told THEN b.seq END, (SELECT max(after_seq) FROM pruned))
        FROM moved m
        WHERE b.user_id = \(Self.user) AND \(isDue)
        RETURNING b.unread, b.total, b.seen_unread, b.seq, b.change
      )
      """
  }

  // MARK: What is remembered for who was away

  /// Makes room for what is noted. What became of more than a few is not written down: then what was is forgotten too, and
  /// whoever asks loads the list.
  private var pruned: String {
    """
    pruned AS (
      DELETE FROM inbox_changes WHERE user_id = \(Self.user) AND change <= (
        SELECT CASE WHEN m.count = 0 THEN 0
          WHEN m.is_told THEN b.change + m.count - \(InboxStore.maximumChanges) ELSE b.change END
        FROM moved m CROSS JOIN inbox b WHERE b.user_id = \(Self.user))
      RETURNING after_seq
    )
    """
  }

  private var noted: String {
    """
    noted AS (
      INSERT INTO inbox_changes (user_id, change, after_seq, notification_id, at)
      SELECT \(Self.user), k.change - m.count + row_number() OVER (ORDER BY c.id), k.seq, c.id, \(Self.now)
      FROM changed c CROSS JOIN counted k CROSS JOIN moved m
      WHERE m.is_told
    )
    """
  }

  // MARK: What comes back

  private var snoozes: [String] {
    switch operation.snoozes {
    case .unchanged: []
    case .put:
      [
        """
        put AS (
          INSERT INTO snoozes (user_id, notification_id, until)
          SELECT \(Self.user), id, snoozed_until FROM changed
          ON CONFLICT (user_id, notification_id) DO UPDATE SET until = excluded.until
        )
        """
      ]
    case .removed:
      [
        """
        removed AS (
          DELETE FROM snoozes WHERE user_id = \(Self.user) AND notification_id = ANY (ARRAY(
            SELECT id FROM found WHERE in_app = \(InboxState.snoozed.sql)))
        )
        """
      ]
    }
  }

  // MARK: The answer

  /// The counts stand in each row, and in one of their own where nothing changed.
  private var answer: String {
    """
    SELECT m.count, coalesce(k.unread, i.unread, 0) AS unread, coalesce(k.total, i.total, 0) AS total,
      coalesce(k.seen_unread, i.seen_unread, 0) AS seen_unread, c.*
    FROM moved m
      LEFT JOIN counted k ON true
      LEFT JOIN (SELECT unread, total, seen_unread FROM inbox WHERE user_id = \(Self.user)) i ON true
      LEFT JOIN (SELECT * FROM changed ORDER BY id LIMIT \(InboxStore.maximumMarked)) c ON true
    ORDER BY c.id
    """
  }
}
