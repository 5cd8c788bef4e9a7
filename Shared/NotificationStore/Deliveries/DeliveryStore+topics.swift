public import NotificationModel
public import Postgres

/// Outcomes of pushes to topics: their notification's id is their request's.
extension DeliveryStore {
  /// Writes outcomes beside what was noted when the push was routed; where that is gone, it is too old for anybody to ask. In the
  /// order of their keys, and of several the last, unless one is a delivery.
  static func recording(topics records: [Record]) -> SQLQuery {
    """
    WITH given AS MATERIALIZED (
      SELECT DISTINCT ON (id) id, outcome, reason, provider_id, attempts
      FROM unnest(\(records.map(\.notificationID)), \(records.map(\.outcome.rawValue)), \(records.map(\.reason)),
        \(records.map(\.providerID)), \(records.map { Int16(clamping: $0.attempts) }))
        WITH ORDINALITY AS r(id, outcome, reason, provider_id, attempts, position)
      ORDER BY id, (outcome = \(DeliveryOutcome.delivered.rawValue)) DESC, position DESC
    ), locked AS MATERIALIZED (
      SELECT request_id FROM topic_deliveries WHERE request_id IN (SELECT id FROM given)
      ORDER BY request_id FOR NO KEY UPDATE
    )
    UPDATE topic_deliveries t SET outcome = g.outcome, reason = g.reason, provider_id = g.provider_id,
      attempts = g.attempts, finished_at = now()
    FROM given g, locked l
    WHERE t.request_id = g.id AND l.request_id = g.id
      AND t.outcome IS DISTINCT FROM \(DeliveryOutcome.delivered.rawValue)
    """
  }

  /// Those of the pushes to topics that have a final outcome.
  public func finished(topics: [NotificationID]) async throws(PostgresError) -> Set<Key> {
    let rows = try await client.query(
      """
      SELECT request_id, target FROM topic_deliveries
      WHERE request_id = ANY (\(topics)) AND outcome <> \(DeliveryOutcome.exhausted.rawValue)
      """
    )
    var finished: Set<Key> = []
    for row in rows { finished.insert(Key(notificationID: try row.get(0), target: try row.get(1))) }
    return finished
  }
}
