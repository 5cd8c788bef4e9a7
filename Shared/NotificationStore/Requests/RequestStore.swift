public import Foundation
public import NotificationModel
public import Postgres

/// What was stored for a request: whose it is, what became of it, and the part of it that still waits.
public struct RequestStore: Sendable {
  /// Whose a request is.
  public enum Ownership: Sendable, Equatable {
    /// Nothing is stored of it: no router has come to it, or it is too old.
    case notStored
    /// The caller may know of it.
    case yours
    case notYours
    /// It is an admin's, and the caller is none.
    case unnamed

    /// - Parameters:
    ///   - owners: As what was stored says.
    ///   - caller: Nil is an admin.
    public init(_ owners: [RequestOwner], for caller: String?) {
      if owners.isEmpty {
        self = .notStored
      } else if owners.contains(where: { $0.belongs(to: caller) }) {
        self = .yours
      } else {
        self = owners.allSatisfy { $0 == .unknown } ? .unnamed : .notYours
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

  /// - Parameter caller: Nil is an admin.
  public func ownership(of id: RequestID, for caller: String?) async throws(PostgresError) -> Ownership {
    Ownership(try await owners(of: id), for: caller)
  }

  /// Whose a request is, as what was stored of it says; none is that nothing is stored of it.
  public func owners(of id: RequestID) async throws(PostgresError) -> [RequestOwner] {
    var owners: [RequestOwner] = []
    for row in try await client.query(Self.owners(of: id), planned: .alongIndexes) {
      owners.append(RequestOwner(try row.get(0)))
    }
    return owners
  }

  /// Notes that a router came to requests which are for nobody: of no others is anything noted but their notifications.
  public func noteNobody(of requests: [NamedRequest], now: Date) async throws(PostgresError) {
    // In the order of their keys, so that concurrent calls do not deadlock.
    _ = try await client.query(
      """
      INSERT INTO requests_for_nobody (request_id, request_owner, routed_at)
      SELECT id, owner, \(now) FROM unnest(\(requests.map(\.id)), \(requests.map(\.owner.text))) AS r(id, owner) ORDER BY id
      ON CONFLICT DO NOTHING
      """
    )
  }

  /// What became of a request, of `limit` recipients at most: what it costs grows with them.
  public func numbers(of id: RequestID, limit: Int) async throws(PostgresError) -> RequestNumbers {
    var numbers = RequestNumbers()
    let rows = try await client.query(Self.numbers(of: id, limit: limit), planned: .alongIndexesWithoutJIT)
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

  /// Of some: routers of a rolling restart may have stored parts of one request with its owner and without.
  static func owners(of id: RequestID) -> SQLQuery {
    """
    SELECT DISTINCT request_owner FROM (
      SELECT request_owner FROM notifications WHERE request_id = \(id) LIMIT 100
    ) n
    UNION SELECT request_owner FROM requests_for_nobody WHERE request_id = \(id)
    UNION SELECT request_owner FROM topic_deliveries WHERE request_id = \(id)
    """
  }

  /// Of several targets the best outcome counts, which has the lowest code. Channels without a column are in `decisions`.
  static func numbers(of id: RequestID, limit: Int) -> SQLQuery {
    """
    WITH notified AS MATERIALIZED (
      SELECT user_id, id, in_app, push, email, decisions FROM notifications WHERE request_id = \(id) LIMIT \(limit)
    )
    SELECT c.channel, c.code, o.outcome, count(*)
    FROM notified n
      CROSS JOIN LATERAL (
        \(unescaped: DecisionColumns.each(of: "n"))
      ) AS c
      CROSS JOIN LATERAL (
        SELECT CASE WHEN c.code = 0 AND c.channel <> \(unescaped: "\(Channel.inApp.rawValue)") THEN (
          SELECT min(outcome) FROM deliveries
          WHERE user_id = n.user_id AND notification_id = n.id AND channel = c.channel) END AS outcome
        OFFSET 0
      ) o
    GROUP BY c.channel, c.code, o.outcome
    """
  }
}
