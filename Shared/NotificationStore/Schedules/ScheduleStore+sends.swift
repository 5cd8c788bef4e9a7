public import Foundation
public import NotificationModel
public import Postgres
import WallClock

/// Sends that wait for their instant, and requests that are withdrawn.
extension ScheduleStore {
  /// A send that waits, under its request's id.
  public struct WaitingSend: Sendable {
    public var id: RequestID
    public var owner: RequestOwner
    /// JSON as its sender wrote it.
    public var definition: String
    public var sendAt: Date
    /// By which version of the catalogue it was accepted, 0 being the built-in one; nil if nobody knows.
    public var catalogueVersion: Int?

    public init(
      id: RequestID,
      owner: RequestOwner,
      definition: String,
      sendAt: Date,
      catalogueVersion: Int? = nil
    ) {
      self.id = id
      self.owner = owner
      self.definition = definition
      self.sendAt = sendAt
      self.catalogueVersion = catalogueVersion
    }

    /// The table names one for each: what nobody is named for is anybody's from here on.
    fileprivate var ownerText: String { owner.text ?? "" }

    /// As its id says; ids from the future are of now.
    fileprivate func acceptedAt(now: Date) -> Date { id.time.map { min($0, now) } ?? now }
  }

  /// What is known of a request.
  public enum RequestState: Sendable, Equatable {
    case scheduled(sendAt: Date)
    /// It has come due, and routers are at it.
    case released
    case withdrawn(at: Date)
  }

  /// What a cancellation found.
  public enum Withdrawal: Sendable, Equatable {
    /// It waited, and will not be sent.
    case withdrawn
    /// It has come due: it is sent.
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
    let rows = try await client.query(Self.storing(sends, now: now, isWhole: true), planned: .alongIndexes)
    var stored: Set<RequestID> = []
    for row in rows { stored.insert(try row.get(0)) }
    let rest = sends.filter { !stored.contains($0.id) }
    // They were stored or cancelled before, or name somebody who was erased.
    if !rest.isEmpty { try await rewrite(rest, now: now) }
  }

  /// Stores those of which somebody was erased, without them.
  private func rewrite(_ sends: [WaitingSend], now: Date) async throws {
    try await client.withTransaction { transaction in
      let asked = sends.map { $0.acceptedAt(now: now) }
      let rows = try await transaction.query(
        ErasureStore.erased(in: sends.map(\.definition), since: asked),
        after: [ErasureStore.joinWriters],
        planned: .alongIndexes
      )
      var erased: [Int: [UserID]] = [:]
      for row in rows {
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
    INSERT INTO schedules (id, owner, definition, starts_on, next_at, done_until, created_at, updated_at, catalogue_version)
    SELECT id, owner, definition, (send_at AT TIME ZONE 'UTC')::date, send_at, \(now), \(now), \(now), catalogue_version
    FROM unnest(\(sends.map(\.id)), \(sends.map(\.ownerText)), \(sends.map(\.definition)), \(sends.map(\.sendAt)),
      \(isWhole ? sends.map { $0.acceptedAt(now: now) } : []),
      \(sends.map(\.catalogueVersion))
    ) AS w(id, owner, definition, send_at, accepted_at, catalogue_version)
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
  /// - Parameter caller: Who asks; nil is an admin.
  public func withdraw(_ id: RequestID, of caller: String?, now: Date) async throws -> Withdrawal {
    try await client.withTransaction { transaction in
      let row = try await transaction.query(
        "SELECT owner, released_at IS NOT NULL FROM schedules WHERE id = \(id) AND key IS NULL FOR UPDATE"
      ).first
      let owner = try row.map { RequestOwner(try $0.get(0)) }
      if let owner, !owner.belongs(to: caller) { return .notYours }
      let former = try await transaction.query(Self.withdrawal(of: id, by: caller)).first?.get(0, as: Date?.self) ?? nil
      // In this table the empty text withdraws the request whosever it is: an admin asked, or it is anybody's.
      let noted = owner?.text ?? caller ?? ""
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
      return .withdrawn
    }
  }

  /// What is known of a request; nil if nothing is. Of what is sent nothing is known here.
  ///
  /// - Parameter caller: Who asks; nil is an admin.
  public func state(of id: RequestID, of caller: String?) async throws(PostgresError) -> RequestState? {
    let results = try await client.transaction([
      "SELECT owner, next_at, released_at IS NOT NULL FROM schedules WHERE id = \(id) AND key IS NULL",
      Self.withdrawal(of: id, by: caller),
    ])
    if let row = results[0].first {
      guard RequestOwner(try row.get(0)).belongs(to: caller) else { return nil }
      if try row.get(2) { return .released }
      return .scheduled(sendAt: try row.get(1))
    }
    return try results[1].first?.get(0, as: Date?.self).map { .withdrawn(at: $0) }
  }

  /// When a request was first withdrawn by anybody who may; nil if nobody did.
  ///
  /// - Parameter owners: As what was stored of it names them.
  public func withdrawal(of id: RequestID, ownedBy owners: [RequestOwner]) async throws(PostgresError) -> Date? {
    let isAnybodys = owners.contains(.anybody) || owners.contains(.unknown)
    let query: SQLQuery = """
      SELECT min(withdrawn_at) FROM withdrawals
      WHERE request_id = \(id) AND (\(isAnybodys) OR owner = ANY(\(owners.compactMap(\.text) + [""])))
      """
    return try await client.query(query).first?.get(0, as: Date?.self) ?? nil
  }

  /// When a request was withdrawn as the caller knows it: by the caller, or by somebody who may withdraw everybody's.
  ///
  /// - Parameter caller: Nil is an admin.
  private static func withdrawal(of id: RequestID, by caller: String?) -> SQLQuery {
    """
    SELECT min(withdrawn_at) FROM withdrawals
    WHERE request_id = \(id) AND (\(caller == nil) OR owner IN ('', \(caller ?? "")))
    """
  }

  /// Those of the requests that were withdrawn by who may: asked for what waited, never for what is sent at once.
  public func withdrawn(among requests: Set<NamedRequest>) async throws(PostgresError) -> Set<NamedRequest> {
    guard !requests.isEmpty else { return [] }
    let requests = Array(requests)
    var withdrawn: Set<NamedRequest> = []
    for row in try await client.query(Self.withdrawn(among: requests)) {
      withdrawn.insert(requests[try row.get(0, as: Int.self) - 1])
    }
    return withdrawn
  }

  static func withdrawn(among requests: [NamedRequest]) -> SQLQuery {
    """
    SELECT r.position FROM unnest(\(requests.map(\.id)), \(requests.map(\.owner.text))) WITH ORDINALITY AS r(id, owner, position)
      CROSS JOIN LATERAL (
        SELECT FROM withdrawals c WHERE c.request_id = r.id AND \(unescaped: isWithdrawn(by: "r.owner")) LIMIT 1
      ) c
    """
  }

  /// Whether `c` of `withdrawals` withdraws what belongs to an owner, which is SQL for a ``RequestOwner/text``.
  static func isWithdrawn(by owner: String) -> String {
    "(c.owner = '' OR \(owner) IS NULL OR \(owner) IN ('', c.owner))"
  }
}
