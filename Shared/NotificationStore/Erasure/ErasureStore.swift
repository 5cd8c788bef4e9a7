public import Foundation
import BelfryJSON
public import NotificationModel
public import Postgres
import UserIdentity

/// Erases users, and knows who was erased: what was accepted before is dropped wherever it still is on its way
/// (decisions 0044 and 0068).
public struct ErasureStore: Sendable {
  /// Whose erasure, when by the database's clock.
  public struct Mark: Sendable, Equatable {
    public var user: UserID
    public var erasedAt: Date

    public init(user: UserID, erasedAt: Date) {
      self.user = user
      self.erasedAt = erasedAt
    }
  }

  /// Marks, as they were at a moment.
  public struct Look: Sendable, Equatable {
    public var marks: [Mark]
    /// The moment, by the clock that dates marks.
    public var at: Date

    public init(marks: [Mark], at: Date) {
      self.marks = marks
      self.at = at
    }
  }

  /// How many rows an erasure took.
  public struct Counts: Sendable, Equatable {
    /// By table; those of which none were there are left out. Schedules: those that nobody is left in.
    public var deleted: [String: Int] = [:]
    /// Schedules and waiting sends that name others too.
    public var schedulesRewritten = 0
  }

  /// Tables that lead with a user's id, in the order in which their rows go: as others lock them, `held` before
  /// `notifications`. `deliveries` late: from there to the commit another's erasure waits, and who records with it. Last what the user
  /// is called.
  static let tables = [
    "held", "notifications", "inbox_changes", "snoozes", "engagement", "preferences", "category_preferences",
    "unsubscriptions", "mutes", "topic_subscriptions", "devices", "group_members", "throttle_uses", "rule_states",
    "presence", "suppressions", "soft_bounces", "users", "inbox",
    "deliveries", "user_identifiers",
  ]

  /// What is written without a lock that the erasure takes too: it waits for those who are at it.
  private static let awaited =
    """
    ('deliveries'::regclass, 'devices'::regclass, 'group_members'::regclass, 'schedules'::regclass, \
    'soft_bounces'::regclass, 'suppressions'::regclass, 'topic_subscriptions'::regclass, 'user_identifiers'::regclass)
    """

  let client: PostgresClient
  /// For how long it waits: longer than a statement may take by default, shorter than a proxy waits for an answer.
  let patience: Duration

  public init(client: PostgresClient, patience: Duration = .seconds(40)) {
    self.client = client
    self.patience = patience
  }

  /// Erases everything about a user. Again, it erases what has come since.
  ///
  /// First the mark, in a transaction of its own: whoever stores or records from then on sees it. The rest follows when all
  /// who did not have come to their end, so nothing is written behind its back. A crash in between leaves the mark and the
  /// rows, and no answer: the caller asks again.
  ///
  /// - Parameters:
  ///   - name: The text that the user's UUID stands for, if the caller knows one: it may be stored no more, or never have been, and
  ///     still be in what was done under it. Nil asks the table.
  ///   - actor: Who does it, for the audit log, which does not name the user: nil is the user's own doing, and so is the
  ///     user's id.
  ///   - action: As the audit log calls it.
  ///   - requestID: Of the HTTP request, as logs name it; nil where there is none.
  public func erase(
    _ user: UserID,
    called name: String? = nil,
    by actor: String?,
    action: String = "user.erase",
    requestID: String? = nil
  ) async throws -> Counts {
    let actor = actor.flatMap { UserIdentifier($0)?.uuid == user.uuid ? nil : $0 } ?? "self"
    let stored = try await name == nil ? UserIdentifierStore.text(of: user, client) : user.description
    let text = stored == user.description ? name : stored
    // A client names its requests as it likes.
    let requestID = requestID.flatMap { id in
      id.lowercased().contains(user.description) || text.map { id.contains($0) } ?? false ? nil : id
    }
    _ = try await client.query(Self.mark(user))
    try await awaitWriters()
    return try await client.withTransaction { transaction in
      var counts = Counts()
      // Routers' order: inboxes first. Made where missing: a router may be about to, and is waited for.
      _ = try await transaction.queries(
        [UserLock.take(user), PlannerHints.alongIndexes.statement] + NotificationStore.lock(inboxesOf: [user])
      )
      // Dated again: what was stored while writers were waited for goes too, and no `seq` of it comes twice.
      _ = try await transaction.query(
        "UPDATE erased_users SET erased_at = greatest(erased_at, clock_timestamp()) WHERE user_id = \(user)"
      )
      try await Self.forget(user, inSchedulesOf: transaction, &counts)
      let results = try await transaction.queries(
        [Self.deleteNotices(user), Self.lockAddress(of: user)]
          + Self.leaveAddresses(of: user) + Self.claimAddresses(of: user)
          + Self.anonymise(user, called: text)
          + [Self.anonymiseAddresses(of: user)]
          + Self.tables.map { Self.delete(user, from: $0) }
      )
      for (table, result) in zip(Self.tables, results.suffix(Self.tables.count)) where result.affectedRows > 0 {
        counts.deleted[table] = result.affectedRows
      }
      // FCM has still to forget which topics the devices were subscribed to: what says so names nobody any more.
      _ = try await transaction.query("UPDATE topic_registrations SET owner_id = NULL WHERE owner_id = \(user)")
      _ = try await transaction.query(
        AuditStore.line(actor: actor, action: action, detail: counts.json, requestID: requestID)
      )
      return counts
    }
  }

  /// Users who were erased at or after a time, or ever.
  ///
  /// A mark is dated a moment before it can be seen: who looks for what came after another look asks from some time before that.
  public func erased(since: Date?) async throws -> Look {
    let results = try await client.transaction(
      ["SELECT clock_timestamp()", Self.erased(since: since)],
      planned: .alongIndexes
    )
    guard let now: Date = try results[0].first?.get(0) else { preconditionFailure("SELECT of a value has a row") }
    var marks: [Mark] = []
    for row in results[1] { marks.append(Mark(user: try row.get(0), erasedAt: try row.get(1))) }
    return Look(marks: marks, at: now)
  }

  /// Returns when every transaction has ended that was writing when this was called.
  ///
  /// A statement locks its table before it looks at what is committed: one that did not see the mark has its lock now, until
  /// its transaction ends, and one that locks it from now on sees the mark. They are not waited for by a lock: behind that
  /// everybody else would wait, too.
  ///
  /// - Throws: ``ErasureError/stillWritten``.
  private func awaitWriters() async throws {
    let end = ContinuousClock.now + patience
    var pause = Duration.milliseconds(2)
    var writers = try await Self.transactions(in: client.query(Self.writers))
    while !writers.isEmpty {
      guard ContinuousClock.now < end else { throw ErasureError.stillWritten }
      try await Task.sleep(for: pause)
      pause = min(pause * 2, .milliseconds(200))
      writers = try await Self.transactions(in: client.query(Self.writers)).intersection(writers)
    }
  }

  private static func transactions(in rows: PostgresResult) throws(PostgresError) -> Set<String> {
    var transactions: Set<String> = []
    for row in rows { transactions.insert(try row.get(0)) }
    return transactions
  }

  // MARK: Statements

  /// The transactions that write into one of the tables in which an erasure waits for them.
  static let writers = SQLQuery(
    unescaped: """
      SELECT DISTINCT virtualtransaction FROM pg_locks
      WHERE locktype = 'relation' AND mode = 'RowExclusiveLock' AND granted AND relation IN \(awaited)
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      """
  )

  /// By the database's clock, as is what is compared with it: gateways and routers date by that too.
  static func mark(_ user: UserID) -> SQLQuery {
    """
    INSERT INTO erased_users (user_id, erased_at) VALUES (\(user), clock_timestamp())
    ON CONFLICT (user_id) DO UPDATE SET erased_at = greatest(erased_users.erased_at, excluded.erased_at)
    """
  }

  static func erased(since: Date?) -> SQLQuery {
    "SELECT user_id, erased_at FROM erased_users WHERE erased_at >= coalesce(\(since), '-infinity'::timestamptz)"
  }

  static func delete(_ user: UserID, from table: String) -> SQLQuery {
    "DELETE FROM \(unescaped: table) WHERE user_id = \(user)"
  }

  /// Notices that rules made and the broker has not confirmed: nearly always none.
  private static func deleteNotices(_ user: UserID) -> SQLQuery {
    "DELETE FROM rule_notices WHERE strpos(body, \(user.description)) > 0"
  }

  /// Two users of one address who are erased at once would each see the other, and leave it: the later one waits for the earlier, and
  /// sees it gone. Held until the end of the transaction, with a seed of its own; nobody else takes it.
  ///
  /// The order of locks: the user's (``UserLock``), inboxes, the mark, schedules, notices, the address, then what is kept of addresses,
  /// keys and versions of the catalogue, and the user's rows. Who has an address's lock waits for nothing before it any more, and
  /// who waits for it has nothing after it yet. The profile cannot change meanwhile: that takes the user's lock.
  static func lockAddress(of user: UserID) -> SQLQuery {
    """
    SELECT pg_advisory_xact_lock(hashtextextended(belfry_mail_address(email), 8))
    FROM users WHERE user_id = \(user) AND email IS NOT NULL
    """
  }

  /// What is kept of an address that is in another's profile, too, stays, and says nothing of the user: neither a complaint nor what an
  /// operator wrote down ends because one of its readers goes. Only a refusal that counts with others has the notification's id, for
  /// its eight days: by that the retries and the bounce of one mail are one.
  static func leaveAddresses(of user: UserID) -> [SQLQuery] {
    [("suppressions", ", diagnostic = NULL"), ("soft_bounces", "")].map { table, words in
      """
      UPDATE \(unescaped: table) s SET user_id = NULL\(unescaped: words)
      WHERE s.user_id = \(user) AND EXISTS (\(unescaped: sharing("s.address", "s.user_id")))
      """
    }
  }

  /// What is kept of the profile's mail address goes with the user, also if another's mail led to it, unless another has the address.
  static func claimAddresses(of user: UserID) -> [SQLQuery] {
    ["suppressions", "soft_bounces"].map { table in
      """
      UPDATE \(unescaped: table) s SET user_id = p.user_id
      FROM (SELECT user_id, belfry_mail_address(email) AS address FROM users WHERE user_id = \(user) AND email IS NOT NULL) p
      WHERE s.address = p.address AND s.user_id IS DISTINCT FROM p.user_id
        AND NOT EXISTS (\(unescaped: sharing("p.address", "p.user_id")))
      """
    }
  }

  /// Whether another has an address in the profile. `OFFSET 0`: asked for the few addresses that there are, never joined.
  private static func sharing(_ address: String, _ user: String) -> String {
    """
    SELECT FROM users u
    WHERE u.email IS NOT NULL AND belfry_mail_address(u.email) = \(address) AND u.user_id <> \(user) OFFSET 0
    """
  }

  /// What was done to the user's addresses stays in the audit log, the addresses do not, unless another has them.
  static func anonymiseAddresses(of user: UserID) -> SQLQuery {
    """
    UPDATE audit SET subject = NULL WHERE subject = ANY (ARRAY(
      SELECT address FROM suppressions WHERE user_id = \(user)
      UNION SELECT p.address
        FROM (SELECT user_id, belfry_mail_address(email) AS address FROM users WHERE user_id = \(user) AND email IS NOT NULL) p
        WHERE NOT EXISTS (\(unescaped: sharing("p.address", "p.user_id")))))
    """
  }

  /// What was done to the user, and by the user, stays in the audit log; to whom and by whom does not, nor an id of a request that
  /// says it. A token may write its subject in capitals. Keys are locked in the order of those who note their uses; they and the
  /// versions of the catalogue are few, and looked through.
  ///
  /// - Parameter text: That the user's UUID stands for; nil for a user who goes by a UUID.
  static func anonymise(_ user: UserID, called text: String? = nil) -> [SQLQuery] {
    (text.map { anonymise(user, actingAs: $0) } ?? []) + [
      """
      UPDATE audit SET subject = NULL,
        request_id = CASE WHEN strpos(lower(request_id), \(user.description)) = 0 THEN request_id END
      WHERE subject = \(user.description)
      """,
      """
      UPDATE audit SET actor = 'erased',
        request_id = CASE WHEN strpos(lower(request_id), \(user.description)) = 0 THEN request_id END
      WHERE lower(actor) = \(user.description)
      """,
      """
      WITH locked AS MATERIALIZED (
        SELECT id FROM api_keys WHERE lower(created_by) = \(user.description) ORDER BY id FOR NO KEY UPDATE
      )
      UPDATE api_keys k SET created_by = 'erased' FROM locked l WHERE k.id = l.id
      """,
      """
      WITH locked AS MATERIALIZED (
        SELECT number FROM catalogue_versions WHERE lower(applied_by) = \(user.description)
        ORDER BY number FOR NO KEY UPDATE
      )
      UPDATE catalogue_versions v SET applied_by = 'erased' FROM locked l WHERE v.number = l.number
      """,
    ]
  }

  /// The same of a text. Nothing but itself is the same text: two users' may differ in capitals alone.
  private static func anonymise(_ user: UserID, actingAs text: String) -> [SQLQuery] {
    [
      "UPDATE audit SET request_id = NULL WHERE subject = \(user.description) AND strpos(request_id, \(text)) > 0",
      """
      UPDATE audit SET actor = 'erased', request_id = CASE WHEN strpos(request_id, \(text)) = 0 THEN request_id END
      WHERE lower(actor) = lower(\(text)) AND actor = \(text)
      """,
      """
      WITH locked AS MATERIALIZED (
        SELECT id FROM api_keys WHERE created_by = \(text) ORDER BY id FOR NO KEY UPDATE
      )
      UPDATE api_keys k SET created_by = 'erased' FROM locked l WHERE k.id = l.id
      """,
      """
      WITH locked AS MATERIALIZED (
        SELECT number FROM catalogue_versions WHERE applied_by = \(text) ORDER BY number FOR NO KEY UPDATE
      )
      UPDATE catalogue_versions v SET applied_by = 'erased' FROM locked l WHERE v.number = l.number
      """,
    ]
  }
}

extension ErasureStore.Counts {
  fileprivate var json: JSONValue {
    var members = deleted.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    if schedulesRewritten > 0 { members.append(("schedulesRewritten", schedulesRewritten)) }
    return .object(members.map { JSONMember(name: $0.0, value: .number(String($0.1)), range: 0..<0) })
  }
}
