public import Foundation
public import NotificationModel
public import Postgres
import WallClock

/// Sends that wait for their instant, and requests that are withdrawn.
extension ScheduleStore {
  /// A send that waits, under its request's id.
  public struct WaitingSend: Sendable {
    public var id: RequestID
    public var owner: String
    /// JSON as its sender wrote it.
    public var definition: String
    public var sendAt: Date

    public init(id: RequestID, owner: String, definition: String, sendAt: Date) {
      self.id = id
      self.owner = owner
      self.definition = definition
      self.sendAt = sendAt
    }

    /// As its id says; ids from the future are of now.
    fileprivate func acceptedAt(now: Date) -> Date { id.time.map { min($0, now) } ?? now }
  }

  /// What is known of a request.
  public enum RequestState: Sendable, Equatable {
    case scheduled(sendAt: Date)
    /// It has come due, and routers are at it.
    case released
    case cancelled(at: Date)
  }

  /// What a cancellation found.
  public enum Cancellation: Sendable, Equatable {
    /// It waited, and will not be told.
    case cancelled
    /// It has come due: it is told.
    case tooLate
    /// Nothing of it waits here.
    case nothingWaits
    /// Nothing of it waits here, for it was withdrawn before.
    case withdrawnBefore
    /// It is another owner's.
    case notYours
  }

  /// Stores sends that are not stored yet, nor cancelled: a repetition changes nothing. Who was erased when a send was accepted
  /// or later is left out of it; a send for nobody else is dropped.
  public func store(_ sends: [WaitingSend], now: Date) async throws {
    guard !sends.isEmpty else { return }
    let results = try await client.transaction([
      NotificationStore.withoutScans, Self.storing(sends, now: now, isWhole: true),
    ])
    var stored: Set<RequestID> = []
    for row in results[1] { stored.insert(try row.get(0)) }
    let rest = sends.filter { !stored.contains($0.id) }
    // They were stored or cancelled before, or name somebody who was erased.
    if !rest.isEmpty { try await rewrite(rest, now: now) }
  }

  /// Stores those of which somebody was erased, without them.
  private func rewrite(_ sends: [WaitingSend], now: Date) async throws {
    try await client.withTransaction { transaction in
      let asked = sends.map { $0.acceptedAt(now: now) }
      let results = try await transaction.queries([
        NotificationStore.withoutScans, ErasureStore.joinWriters,
        ErasureStore.erased(in: sends.map(\.definition), since: asked),
      ])
      var erased: [Int: [UserID]] = [:]
      for row in results[2] {
        let position: Int = try row.get("position")
        erased[position - 1, default: []].append(try row.get("user_id"))
      }
      let rewritten = sends.indices.compactMap { index -> WaitingSend? in
        guard let users = erased[index],
          let definition = ErasureStore.rewriting(sends[index].definition, without: users)
        else { return nil }
        var send = sends[index]
        send.definition = definition
        return send
      }
      if !rewritten.isEmpty { _ = try await transaction.query(Self.storing(rewritten, now: now, isWhole: false)) }
    }
  }

  /// - Parameter isWhole: Whether those are passed over that name somebody who was erased.
  static func storing(_ sends: [WaitingSend], now: Date, isWhole: Bool) -> SQLQuery {
    """
    INSERT INTO schedules (id, owner, definition, starts_on, next_at, done_until, created_at, updated_at)
    SELECT id, owner, definition, (send_at AT TIME ZONE 'UTC')::date, send_at, \(now), \(now), \(now)
    FROM unnest(\(sends.map(\.id)), \(sends.map(\.owner)), \(sends.map(\.definition)), \(sends.map(\.sendAt)),
      \(isWhole ? sends.map { $0.acceptedAt(now: now) } : [])) AS w(id, owner, definition, send_at, accepted_at)
    WHERE (
      SELECT c.request_id FROM withdrawals c WHERE c.request_id = w.id AND \(unescaped: Self.isWithdrawn(by: "w.owner")) LIMIT 1
    ) IS NULL
      AND NOT EXISTS (
        SELECT FROM erased_users WHERE erased_at >= w.accepted_at AND user_id IN (SELECT belfry_uuids(w.definition)) OFFSET 0
      )
    ON CONFLICT (id) DO NOTHING
    RETURNING id
    """
  }

  /// Withdraws a request. What it finds is what holds: a claim and a cancellation in the same moment come one after the
  /// other.
  ///
  /// Of an id that is not known here it is noted who asked: nothing is withdrawn by that which turns out to be another's, and
  /// nobody else's asking is in its way.
  ///
  /// - Parameter owner: Who asks; nil may withdraw anybody's. What came without a name anybody may.
  public func cancel(_ id: RequestID, of owner: String?, now: Date) async throws -> Cancellation {
    try await client.withTransaction { transaction in
      let row = try await transaction.query(
        "SELECT owner, released_at IS NOT NULL FROM schedules WHERE id = \(id) AND key IS NULL FOR UPDATE"
      ).first
      let whose = try row?.get(0, as: String.self)
      if let owner, let whose, !["", owner].contains(whose) { return .notYours }
      let former = try await transaction.query(Self.withdrawal(of: id, by: owner)).first?.get(0, as: Date?.self) ?? nil
      let noted = whose ?? owner ?? ""
      _ = try await transaction.queries([
        """
        INSERT INTO withdrawals (request_id, owner, withdrawn_at) VALUES (\(id), \(noted), \(now))
        ON CONFLICT DO NOTHING
        """,
        // For routers of the release before, which know this table alone: one owner for each request.
        """
        INSERT INTO cancelled_requests (request_id, owner, cancelled_at) VALUES (\(id), nullif(\(noted), ''), \(now))
        ON CONFLICT DO NOTHING
        """,
      ])
      guard let row else { return former == nil ? .nothingWaits : .withdrawnBefore }
      if try row.get(1, as: Bool.self) { return .tooLate }
      _ = try await transaction.query("DELETE FROM schedules WHERE id = \(id) AND key IS NULL")
      return .cancelled
    }
  }

  /// What is known of a request; nil if nothing is. Of what is told nothing is known here.
  ///
  /// - Parameter owner: Who asks; nil sees anybody's.
  public func state(of id: RequestID, of owner: String?) async throws(PostgresError) -> RequestState? {
    let results = try await client.transaction([
      "SELECT owner, next_at, released_at IS NOT NULL FROM schedules WHERE id = \(id) AND key IS NULL",
      Self.withdrawal(of: id, by: owner),
    ])
    if let row = results[0].first {
      if let owner, !["", owner].contains(try row.get(0, as: String.self)) { return nil }
      if try row.get(2) { return .released }
      return .scheduled(sendAt: try row.get(1))
    }
    return try results[1].first?.get(0, as: Date?.self).map { .cancelled(at: $0) }
  }

  /// When a request was first withdrawn by anybody who may; nil if nobody did.
  ///
  /// - Parameter owners: As what was stored of it names them.
  public func withdrawal(of id: RequestID, ownedBy owners: [String?]) async throws(PostgresError) -> Date? {
    let isAnybodys = owners.contains { ($0 ?? "").isEmpty }
    let query: SQLQuery = """
      SELECT min(withdrawn_at) FROM withdrawals
      WHERE request_id = \(id) AND (\(isAnybodys) OR owner = ANY(\(owners.compactMap(\.self) + [""])))
      """
    return try await client.query(query).first?.get(0, as: Date?.self) ?? nil
  }

  /// When a request was withdrawn as the caller knows it: by the caller, or by somebody who may withdraw everybody's.
  ///
  /// - Parameter caller: Nil knows of all.
  private static func withdrawal(of id: RequestID, by caller: String?) -> SQLQuery {
    """
    SELECT min(withdrawn_at) FROM withdrawals
    WHERE request_id = \(id) AND (\(caller == nil) OR owner IN ('', \(caller ?? "")))
    """
  }

  /// Those of the requests that were withdrawn by who may: asked for what waited, never for what is told at once.
  public func cancelled(among requests: Set<NamedRequest>) async throws(PostgresError) -> Set<NamedRequest> {
    guard !requests.isEmpty else { return [] }
    let requests = Array(requests)
    var cancelled: Set<NamedRequest> = []
    for row in try await client.query(Self.cancelled(among: requests)) {
      cancelled.insert(requests[try row.get(0, as: Int.self) - 1])
    }
    return cancelled
  }

  static func cancelled(among requests: [NamedRequest]) -> SQLQuery {
    """
    SELECT r.position FROM unnest(\(requests.map(\.id)), \(requests.map(\.owner))) WITH ORDINALITY AS r(id, owner, position)
      CROSS JOIN LATERAL (
        SELECT FROM withdrawals c WHERE c.request_id = r.id AND \(unescaped: isWithdrawn(by: "r.owner")) LIMIT 1
      ) c
    """
  }

  /// Whether `c` of `withdrawals` withdraws what belongs to an owner. What has no name anybody may withdraw, and of what routers
  /// of earlier versions stored nobody knows it.
  static func isWithdrawn(by owner: String) -> String {
    "(c.owner = '' OR \(owner) IS NULL OR \(owner) IN ('', c.owner))"
  }
}
