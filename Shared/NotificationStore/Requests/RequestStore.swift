public import Foundation
public import NotificationModel
public import Postgres

/// What was stored for a request: whose it is, what became of it, and the part of it that still waits.
public struct RequestStore: Sendable {
  /// Whose a request is.
  public enum Ownership: Sendable, Equatable {
    /// Nothing is stored of it: no router has come to it, or it is too old.
    case unknown
    /// The caller may know of it.
    case yours
    case notYours
    /// It was stored before anybody said whose it is.
    case unnamed

    /// - Parameters:
    ///   - owners: As what was stored says.
    ///   - caller: Nil may know of anybody's.
    public init(_ owners: [String?], for caller: String?) {
      let named = owners.compactMap(\.self)
      if owners.isEmpty {
        self = .unknown
      } else if caller == nil || named.contains(where: { ["", caller].contains($0) }) {
        self = .yours
      } else {
        self = named.isEmpty ? .unnamed : .notYours
      }
    }
  }

  let client: PostgresClient
  /// Notifications of a request that are looked at for those that are to be withdrawn: about a second of the database's time.
  /// Looking begins at the request's first each time.
  var perLook = 1_000_000

  public init(client: PostgresClient) {
    self.client = client
  }

  /// - Parameter owner: Who asks; nil may know of anybody's. What came without a name everybody may.
  public func ownership(of id: RequestID, for owner: String?) async throws(PostgresError) -> Ownership {
    Ownership(try await owners(of: id), for: owner)
  }

  /// Whose a request is, as what was stored of it says; nil is not known, and none that nothing is stored of it.
  public func owners(of id: RequestID) async throws(PostgresError) -> [String?] {
    var owners: [String?] = []
    for row in try await client.transaction([NotificationStore.withoutScans, Self.owners(of: id)])[1] {
      owners.append(try row.get(0))
    }
    return owners
  }

  /// Notes that a router came to requests which are for nobody: of no others is anything noted but their notifications.
  public func noteNobody(of requests: [NamedRequest], now: Date) async throws(PostgresError) {
    // In the order of their keys, so that concurrent calls do not deadlock.
    _ = try await client.query(
      """
      INSERT INTO requests_for_nobody (request_id, request_owner, routed_at)
      SELECT id, owner, \(now) FROM unnest(\(requests.map(\.id)), \(requests.map(\.owner))) AS r(id, owner) ORDER BY id
      ON CONFLICT DO NOTHING
      """
    )
  }

  /// What became of a request, of `limit` recipients at most: what it costs grows with them.
  public func numbers(of id: RequestID, limit: Int) async throws(PostgresError) -> RequestNumbers {
    var numbers = RequestNumbers()
    let rows = try await client.transaction([Self.directReads, Self.numbers(of: id, limit: limit)])[1]
    for row in rows {
      numbers.add(
        try row.get(3),
        on: Channel(rawValue: try row.get(0)),
        code: try row.get(1),
        outcome: try row.get(2)
      )
    }
    return numbers
  }

  // MARK: Statements

  /// For this transaction. The planner takes thousands of cheap probes for one dear query, and would spend a second on
  /// compiling it.
  private static let directReads: SQLQuery =
    "SELECT set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)"

  /// Of some: routers of a rolling restart may have stored parts of one request with its owner and without.
  static func owners(of id: RequestID) -> SQLQuery {
    """
    SELECT DISTINCT request_owner FROM (
      SELECT request_owner FROM notifications WHERE request_id = \(id) LIMIT 100
    ) n
    UNION SELECT request_owner FROM requests_for_nobody WHERE request_id = \(id)
    """
  }

  /// Of several targets the best outcome counts, which has the lowest code. Channels without a column are in `decisions`.
  static func numbers(of id: RequestID, limit: Int) -> SQLQuery {
    """
    WITH told AS MATERIALIZED (
      SELECT user_id, id, in_app, push, email, decisions FROM notifications WHERE request_id = \(id) LIMIT \(limit)
    )
    SELECT c.channel, c.code, o.outcome, count(*)
    FROM told n
      CROSS JOIN LATERAL (
        VALUES (1::int2, n.in_app), (2::int2, n.push), (3::int2, n.email)
        UNION ALL
        SELECT key::int2, (value ->> 'code')::int2 FROM jsonb_each(n.decisions) WHERE key::int > 3
      ) AS c(channel, code)
      CROSS JOIN LATERAL (
        SELECT CASE WHEN c.code = 0 AND c.channel <> 1 THEN (
          SELECT min(outcome) FROM deliveries
          WHERE user_id = n.user_id AND notification_id = n.id AND channel = c.channel) END AS outcome
        OFFSET 0
      ) o
    GROUP BY c.channel, c.code, o.outcome
    """
  }
}
