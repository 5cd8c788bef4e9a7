import Foundation
public import Postgres

/// What FCM is to be told of topics: for each device and topic whether it is subscribed. Any number of dispatchers may claim; each row
/// is one dispatcher's at a time, until it is settled or the claim's lease ends.
public struct TopicRegistrationStore: Sendable {
  /// Something to tell FCM.
  public struct Change: Sendable, Equatable {
    /// Token or installation id: never logged.
    public var address: String
    public var topic: String
    /// Whether FCM is to have the subscription, or to end it.
    public var isWanted: Bool
    /// How often it was tried.
    public var attempts: Int
  }

  /// What came of a change.
  public enum Outcome: Sendable, Equatable {
    /// FCM is as it should be.
    case done
    case again(after: Duration, reason: String)
  }

  public struct Claim: Sendable {
    let id: UUID
    public var changes: [Change]
  }

  private let client: PostgresClient

  public init(client: PostgresClient) {
    self.client = client
  }

  /// Takes what is due, the oldest first.
  ///
  /// - Parameter lease: Longer than it takes to tell FCM all of it: after that another dispatcher takes what is not settled.
  public func claim(limit: Int, lease: Duration) async throws(PostgresError) -> Claim {
    let id = UUID()
    var changes: [Change] = []
    for row in try await client.query(Self.claiming(id, limit: limit, lease: lease), planned: .alongIndexes) {
      changes.append(
        Change(
          address: try row.get("address"),
          topic: try row.get("topic"),
          isWanted: try row.get("is_wanted"),
          attempts: try row.get("attempts")
        )
      )
    }
    return Claim(id: id, changes: changes)
  }

  /// Notes what came of a claim. What was changed meanwhile is due again at once.
  ///
  /// - Parameter outcomes: One for each of the claim's changes.
  public func settle(_ claim: Claim, _ outcomes: [Outcome]) async throws(PostgresError) {
    precondition(outcomes.count == claim.changes.count, "each change has one outcome")
    guard !outcomes.isEmpty else { return }
    _ = try await client.query(Self.settling(claim, outcomes), planned: .alongIndexes)
  }

  // MARK: Statements

  /// What is wanted for a device that is not there any more, or is another's, is not wanted: its removal may have been on its way when
  /// it was planned.
  static func claiming(_ id: UUID, limit: Int, lease: Duration) -> SQLQuery {
    """
    WITH due AS MATERIALIZED (
      SELECT address, topic FROM topic_registrations WHERE due_at <= now()
      ORDER BY due_at LIMIT \(limit) FOR UPDATE SKIP LOCKED
    )
    UPDATE topic_registrations r SET claim = \(id), is_told = true,
      claimed_until = now() + make_interval(secs => \(lease / .seconds(1))),
      due_at = now() + make_interval(secs => \(lease / .seconds(1))),
      is_wanted = r.is_wanted AND EXISTS (
        SELECT FROM devices d WHERE d.token = r.address AND d.user_id = r.owner_id AND d.active)
    FROM due WHERE r.address = due.address AND r.topic = due.topic
    RETURNING r.address, r.topic, r.is_wanted, r.attempts
    """
  }

  static func settling(_ claim: Claim, _ outcomes: [Outcome]) -> SQLQuery {
    let waits = outcomes.map { outcome -> Int? in
      guard case .again(let wait, _) = outcome else { return nil }
      return Int((wait / .seconds(1)).rounded(.up))
    }
    let reasons = outcomes.map { outcome -> String? in
      guard case .again(_, let reason) = outcome else { return nil }
      return reason
    }
    return """
      WITH given AS MATERIALIZED (
        SELECT * FROM unnest(\(claim.changes.map(\.address)), \(claim.changes.map(\.topic)), \(claim.changes.map(\.isWanted)),
          \(waits), \(reasons)) AS g(address, topic, was_wanted, wait, reason)
      ), locked AS MATERIALIZED (
        SELECT r.address, r.topic, r.is_wanted <> g.was_wanted AS is_changed, g.wait, g.reason,
          g.wait IS NULL AND NOT g.was_wanted AND NOT r.is_wanted AS is_over
        FROM given g JOIN topic_registrations r ON r.address = g.address AND r.topic = g.topic
        WHERE r.claim = \(claim.id)
        -- As `belfry_plan_topics` locks them, which goes from user to user.
        ORDER BY r.owner_id, r.address, r.topic FOR UPDATE OF r
      ), gone AS (
        DELETE FROM topic_registrations r USING locked l WHERE r.address = l.address AND r.topic = l.topic AND l.is_over
      )
      UPDATE topic_registrations r SET claim = NULL, claimed_until = NULL,
        due_at = CASE WHEN l.is_changed THEN now() ELSE now() + make_interval(secs => l.wait) END,
        attempts = CASE WHEN l.is_changed OR l.wait IS NULL THEN 0 ELSE r.attempts + 1 END, reason = l.reason
      FROM locked l WHERE r.address = l.address AND r.topic = l.topic AND NOT l.is_over
      """
  }
}
