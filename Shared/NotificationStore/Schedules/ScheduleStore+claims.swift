public import Foundation
public import Postgres
public import WallClock

/// What comes due, as routers work on it.
extension ScheduleStore {
  /// What comes due: each is claimed by itself, so that no send stands behind schedules that are being planned.
  public enum Work: Sendable, CaseIterable {
    case sends, schedules
  }

  /// A row that is due, in the hands of one router until ``until``.
  public struct Claim: Sendable {
    public var id: UUID
    public var owner: String
    /// Nil for a send that waited, whose request has the row's id.
    public var key: String?
    /// JSON as its owner wrote it.
    public var definition: String
    public var startsOn: LocalDate
    /// Everything up to it was sent before, or was too late.
    public var doneUntil: Date
    /// What the last look left to be known of its dates, or it was put with.
    public var plan: String?
    /// False for a send that was cancelled before anybody claimed it.
    public var isReleased: Bool
    /// By which version of the catalogue the send was accepted, 0 being the built-in one; nil if nobody knows.
    public var catalogueVersion: Int?
    /// When another router may claim it.
    public var until: Date
  }

  /// What is to be done next with a row that was claimed.
  public struct Advance: Sendable {
    public var claim: Claim
    public var doneUntil: Date
    /// Nil if nothing comes any more.
    public var next: Date?
    /// What is known of its dates.
    public var plan: String?

    public init(_ claim: Claim, doneUntil: Date, next: Date?, plan: String?) {
      self.claim = claim
      self.doneUntil = doneUntil
      self.next = next
      self.plan = plan
    }

    /// What comes again at an instant as it is.
    public init(_ claim: Claim, again next: Date) {
      self.init(claim, doneUntil: claim.doneUntil, next: next, plan: claim.plan)
    }
  }

  /// Takes what is due for `lease` seconds; several routers never get the same. The oldest come first.
  ///
  /// The first claim of a send releases it: from then on it will be sent, and ``withdraw(_:of:now:)`` comes too late.
  public func claim(
    _ work: Work,
    limit: Int,
    lease: TimeInterval,
    now: Date
  ) async throws(PostgresError) -> [Claim] {
    var claims: [Claim] = []
    for row in try await client.query(Self.claim(work, limit: limit, until: now + lease, now: now)) {
      claims.append(
        Claim(
          id: try row.get(0),
          owner: try row.get(1),
          key: try row.get(2),
          definition: try row.get(3),
          startsOn: LocalDate(dayNumber: try row.get(4)),
          doneUntil: try row.get(5),
          plan: try row.get(8),
          isReleased: try row.get(6),
          catalogueVersion: try row.get(9),
          until: try row.get(7)
        )
      )
    }
    return claims
  }

  static func claim(_ work: Work, limit: Int, until: Date, now: Date) -> SQLQuery {
    let isSend =
      switch work {
      case .sends: "key IS NULL"
      case .schedules: "key IS NOT NULL"
      }
    // An array and a scalar, which cannot become joins: with all schedules, or all that was ever withdrawn.
    return """
      UPDATE schedules s SET next_at = \(until),
        released_at = coalesce(s.released_at, CASE
          WHEN s.key IS NULL AND (
            SELECT c.request_id FROM withdrawals c WHERE c.request_id = s.id AND \(unescaped: isWithdrawn(by: "s.owner")) LIMIT 1
          ) IS NULL THEN \(now) END)
      WHERE s.id = ANY (ARRAY(
        SELECT d.id FROM schedules d WHERE d.next_at <= \(now) AND d.\(unescaped: isSend) ORDER BY d.next_at LIMIT \(limit) FOR UPDATE SKIP LOCKED))
      RETURNING s.id, s.owner, s.key, s.definition, s.starts_on - date '1970-01-01', s.done_until,
        s.key IS NOT NULL OR s.released_at IS NOT NULL, s.next_at, s.plan,
        s.catalogue_version
      """
  }

  /// Notes how far schedules have come. Who lost its claim, or whose schedule was changed meanwhile, changes nothing.
  public func advance(_ advances: [Advance]) async throws(PostgresError) {
    guard !advances.isEmpty else { return }
    _ = try await client.query(Self.advance(advances))
  }

  /// All of a claim end at the same instant: whatever could use the index of instants would read them all for each.
  static func advance(_ advances: [Advance]) -> SQLQuery {
    """
    UPDATE schedules s SET next_at = a.next_at, done_until = a.done_until, plan = a.plan
    FROM unnest(\(advances.map(\.claim.id)), \(advances.map(\.claim.until)), \(advances.map(\.doneUntil)),
      \(advances.map(\.next)), \(advances.map(\.plan))) AS a(id, claimed_until, done_until, next_at, plan)
    WHERE s.id = a.id AND s.next_at IS NOT DISTINCT FROM a.claimed_until
    """
  }

  /// Removes sends that have been handed on, or were cancelled.
  public func finish(_ sends: [Claim]) async throws(PostgresError) {
    let ids = sends.filter { $0.key == nil }.map(\.id)
    guard !ids.isEmpty else { return }
    _ = try await client.query("DELETE FROM schedules WHERE id = ANY(\(ids)) AND key IS NULL")
  }
}
