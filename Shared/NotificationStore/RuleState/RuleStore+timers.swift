public import Foundation
public import NotificationModel
public import Postgres
public import Rules

extension RuleStore {
  /// A state whose time has come.
  public struct Due: Sendable {
    public var key: RuleStateKey
    /// Its stored form.
    public var state: String
    /// Whether it is its person's settings that have changed.
    public var isUnsettled: Bool
  }

  /// Takes up to `limit` states that are due, which no other router has, and stores what `decide` makes of them, all in one
  /// transaction. What is not among its changes stays due.
  ///
  /// - Returns: Nil where nothing is due.
  public func due<Result>(
    now: Date,
    limit: Int,
    _ decide: ([Due], [UserID: Person]) throws -> (changes: Changes, result: Result)
  ) async throws -> Result? {
    try await client.withTransaction { transaction in
      var due: [Due] = []
      for row in try await transaction.query(Self.claim(now: now, limit: limit), planned: .inNestedLoops) {
        due.append(
          Due(key: try Self.key(row), state: try row.get("state"), isUnsettled: try row.get("is_unsettled"))
        )
      }
      guard !due.isEmpty else { return nil }
      let people = try Self.people(
        in: try await transaction.query(Self.people(Array(Set(due.map { UserID($0.key.user) }))))
      )
      let (changes, result) = try decide(due, people)
      try await Self.write(changes, over: Set(due.map(\.key)), settling: true, now: now, transaction)
      return result
    }
  }

  static func claim(now: Date, limit: Int) -> SQLQuery {
    """
    SELECT user_id, rule, key, state, is_unsettled FROM rule_states WHERE timer_at <= \(now)
    ORDER BY timer_at LIMIT \(limit) FOR UPDATE SKIP LOCKED
    """
  }

  /// Of states that are kept by a key but have no timers this makes a look that changes nothing.
  ///
  /// To be run in the transaction that changes a person's zone, or a setting that rules compare with: what depends on them is
  /// looked at again.
  public static func resettle(_ user: UserID, now: Date) -> SQLQuery {
    """
    WITH mine AS MATERIALIZED (
      SELECT ctid AS place FROM rule_states
      WHERE user_id = \(user) AND (timer_at IS NOT NULL OR disposable_from > \(now))
      ORDER BY user_id, rule, key FOR UPDATE
    )
    UPDATE rule_states s SET timer_at = \(now), is_unsettled = true FROM mine m WHERE s.ctid = m.place
    """
  }
}
