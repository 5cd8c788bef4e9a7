public import Foundation
public import NotificationModel
import Postgres

extension RuleStore {
  /// Forgets notices that the broker has confirmed.
  public func forget(_ notices: [RequestID]) async throws {
    guard !notices.isEmpty else { return }
    _ = try await client.query("DELETE FROM rule_notices WHERE id = ANY(\(notices.sorted()))")
  }

  /// Up to `limit` notices that nobody has published in time, now the caller's to publish.
  public func orphans(now: Date, limit: Int) async throws -> [Notice] {
    var notices: [Notice] = []
    for row in try await client.query(Self.orphans(now: now, limit: limit)) {
      let body: String = try row.get("body")
      notices.append(Notice(id: try row.get("id"), body: Array(body.utf8)))
    }
    return notices
  }

  static func orphans(now: Date, limit: Int) -> SQLQuery {
    """
    UPDATE rule_notices n SET claimed_until = \(now + publishing)
    FROM (
      SELECT id FROM rule_notices WHERE claimed_until <= \(now) ORDER BY claimed_until LIMIT \(limit)
      FOR UPDATE SKIP LOCKED
    ) o
    WHERE n.id = o.id
    RETURNING n.id, n.body
    """
  }
}
