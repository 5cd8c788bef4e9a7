public import NotificationModel
public import Postgres

/// Withdrawing what a request still holds.
extension RequestStore {
  /// What was withdrawn.
  public struct Withdrawal: Sendable, Equatable {
    /// Notifications of which a channel, or several, waited and will not be sent.
    public var count = 0
    /// False if there may be more: of these the router finds that their request was withdrawn when they are due.
    public var isComplete = true

    /// Notifications that were taken out of inboxes, where that was asked for.
    public var withdrawnCount = 0

    public init() {}
  }

  typealias Key = (user: UserID, id: NotificationID)

  /// Notifications that are changed in one transaction.
  static let perTransaction = 1_000

  /// Leaves out what a request holds, as `cancelled`. What was settled before (delivered, left out, composed with others)
  /// stays: of a router that is at it and this, one is first, and the other sees what it left.
  ///
  /// - Parameter limit: How many notifications at most.
  public func withdrawWaiting(of id: RequestID, limit: Int) async throws(PostgresError) -> Withdrawal {
    var (withdrawal, keys) = try await look(for: Self.waits, of: id, limit: limit)
    while !keys.isEmpty {
      let part = Array(keys.prefix(Self.perTransaction))
      keys.removeFirst(part.count)
      withdrawal.count += try await cancel(part)
    }
    return withdrawal
  }

  /// Which notifications of a request are wanted, by user.
  ///
  /// - Returns: With them a withdrawal of nothing, which knows whether there may be more.
  func look(
    for wanted: String,
    of id: RequestID,
    limit: Int
  ) async throws(PostgresError) -> (Withdrawal, keys: ArraySlice<Key>) {
    let rows = try await client.query(
      Self.look(for: wanted, of: id, reading: perLook, limit: limit),
      planned: .alongIndexes
    )
    var withdrawal = Withdrawal()
    var keys: [Key] = []
    for row in rows {
      if try row.get(2) { keys.append((try row.get(0), try row.get(1))) }
      if try row.get(3) { withdrawal.isComplete = false }
    }
    if rows.count >= limit { withdrawal.isComplete = false }
    return (withdrawal, keys[...])
  }

  /// Locks in the order of those who settle: what is held first, then the notifications, each by user.
  ///
  /// - Returns: How many still waited.
  private func cancel(_ keys: [(user: UserID, id: NotificationID)]) async throws(PostgresError) -> Int {
    try await client.query(
      Self.cancel(keys),
      after: [Self.lockHeld(keys), NotificationStore.lock(keys), Self.remove(keys)],
      planned: .alongIndexes
    ).count
  }

  // MARK: Statements

  /// Of the rows that a request's index entries lead to, those that are wanted, and the one at which reading ended, if it did
  /// not end by itself.
  ///
  /// - Parameter wanted: A condition on `n`.
  static func look(for wanted: String, of id: RequestID, reading: Int, limit: Int) -> SQLQuery {
    """
    SELECT user_id, id, is_wanted, is_last FROM (
      SELECT n.user_id, n.id, \(unescaped: wanted) IS TRUE AS is_wanted, n.position = \(reading) AS is_last
      FROM (
        SELECT user_id, id, in_app, push, email, decisions, row_number() OVER () AS position
        FROM notifications WHERE request_id = \(id) LIMIT \(reading)
      ) n
      WHERE \(unescaped: wanted) OR n.position = \(reading)
      LIMIT \(limit)
    ) w ORDER BY user_id, id
    """
  }

  static let waits = DecisionColumns.waits("n")

  static func lockHeld(_ keys: [(user: UserID, id: NotificationID)]) -> SQLQuery {
    """
    SELECT h.channel FROM unnest(\(keys.map(\.user)), \(keys.map(\.id))) AS k(user_id, id)
      CROSS JOIN LATERAL (
        SELECT channel FROM held WHERE user_id = k.user_id AND notification_id = k.id ORDER BY channel FOR UPDATE
      ) h
    """
  }

  /// Not those of channels that are settled: they are delivered by whoever has claimed them, or claims them next.
  static func remove(_ keys: [(user: UserID, id: NotificationID)]) -> SQLQuery {
    """
    WITH cancelled AS MATERIALIZED (
      SELECT h.place FROM unnest(\(keys.map(\.user)), \(keys.map(\.id))) AS k(user_id, id)
        CROSS JOIN LATERAL (
          SELECT * FROM notifications WHERE user_id = k.user_id AND id = k.id OFFSET 0
        ) n
        CROSS JOIN LATERAL (
          SELECT ctid AS place FROM held
          WHERE user_id = k.user_id AND notification_id = k.id
            AND \(unescaped: DecisionColumns.code(on: "channel", of: "n")) < 0
          OFFSET 0
        ) h
    )
    DELETE FROM held h USING cancelled c WHERE h.ctid = c.place
    """
  }

  /// `decisions` keeps no more than what the columns cannot say.
  static func cancel(_ keys: [(user: UserID, id: NotificationID)]) -> SQLQuery {
    let code = SkipReason.cancelled.rawValue
    return """
      UPDATE notifications n SET
        \(unescaped: DecisionColumns.assignments(to: "n") { "CASE WHEN \($0) < 0 THEN \(code) ELSE \($0) END" }),
        decisions = (
          SELECT jsonb_object_agg(
            key, CASE WHEN (value ->> 'code')::int2 < 0 THEN jsonb_build_object('code', \(code)::int2) ELSE value END)
          FROM jsonb_each(n.decisions) WHERE \(unescaped: DecisionColumns.isFurther("key")))
      FROM unnest(\(keys.map(\.user)), \(keys.map(\.id))) AS k(user_id, id)
      WHERE n.user_id = k.user_id AND n.id = k.id AND \(unescaped: waits)
      RETURNING n.id
      """
  }
}
