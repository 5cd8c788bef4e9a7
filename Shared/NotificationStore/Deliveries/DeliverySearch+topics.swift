import Foundation
import NotificationModel
import Postgres

/// Outcomes of pushes to topics, among the others: they are nobody's, and in order as if their notification were the request.
extension DeliverySearch {
  func topics(_ filter: Filter, after cursor: Cursor, limit: Int) async throws(PostgresError) -> [Entry] {
    let query =
      if let request = filter.request {
        Self.topic(of: request, filter, after: cursor)
      } else {
        Self.topics(filter.outcome.map { [$0] } ?? Self.failures, since: filter.since, after: cursor, limit: limit)
      }
    var entries: [Entry] = []
    for row in try await client.query(query, planned: .inIndexOrderWithoutJIT) {
      if let entry = Entry(try TopicDelivery(row)) { entries.append(entry) }
    }
    return entries
  }

  /// Both are in order, by the database's own: targets are compared there alone, for a topic never ties with a device.
  static func merged(_ others: [Entry], _ topics: [Entry]) -> [Entry] {
    var (merged, rest) = ([Entry](), topics[...])
    merged.reserveCapacity(others.count + topics.count)
    for entry in others {
      let key = entry.cursor
      while let first = rest.first?.cursor,
        (first.finishedAt, first.user, first.notification) > (key.finishedAt, key.user, key.notification)
      {
        merged.append(rest.removeFirst())
      }
      merged.append(entry)
    }
    return merged + rest
  }

  static func topic(of request: RequestID, _ filter: Filter, after cursor: Cursor) -> SQLQuery {
    """
    SELECT \(unescaped: TopicDelivery.columns) FROM topic_deliveries
    WHERE request_id = \(request) AND outcome = coalesce(\(filter.outcome?.rawValue), outcome)
      AND finished_at >= \(filter.since ?? .distantPast) AND \(topicsAfter: cursor)
    """
  }

  /// As ``failed(_:since:after:limit:)``.
  static func topics(_ outcomes: [DeliveryOutcome], since: Date?, after cursor: Cursor, limit: Int) -> SQLQuery {
    """
    SELECT d.*
    FROM unnest(\(outcomes.map(\.rawValue))) AS o(outcome)
      CROSS JOIN LATERAL (
        SELECT \(unescaped: TopicDelivery.columns) FROM topic_deliveries t
        WHERE t.outcome = o.outcome AND t.outcome <> 1 AND finished_at >= \(since ?? .distantPast)
          AND \(topicsAfter: cursor)
        ORDER BY finished_at DESC, request_id DESC LIMIT \(limit)
      ) d
    ORDER BY finished_at DESC, request_id DESC LIMIT \(limit)
    """
  }
}

extension DeliverySearch.Entry {
  /// Nil while there is no outcome.
  fileprivate init?(_ topic: TopicDelivery) {
    guard let delivery = topic.delivery else { return nil }
    self.init(recipient: nil, audience: topic.audience, request: topic.request, type: topic.type, delivery: delivery)
  }
}

extension SQLQuery.StringInterpolation {
  /// What comes behind an entry of any kind; a topic's own cursor has nobody, and no target.
  fileprivate mutating func appendInterpolation(topicsAfter cursor: DeliverySearch.Cursor) {
    appendLiteral("finished_at <= ")
    appendInterpolation(cursor.finishedAt)
    appendLiteral("::timestamptz AND (finished_at, ")
    appendInterpolation(DeliverySearch.nobody)
    appendLiteral("::uuid, request_id, 2::int2, ''::text) < (")
    appendInterpolation(cursor.finishedAt)
    appendLiteral("::timestamptz, ")
    appendInterpolation(cursor.user)
    appendLiteral("::uuid, ")
    appendInterpolation(cursor.notification)
    appendLiteral("::uuid, ")
    appendInterpolation(Int16(clamping: cursor.channel.rawValue))
    appendLiteral("::int2, ")
    appendInterpolation(cursor.target)
    appendLiteral("::text)")
  }
}
