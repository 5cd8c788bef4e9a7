public import Foundation
public import NotificationModel
public import Postgres

/// Pushes to topics and conditions: noted when they are routed, and again when there is an outcome (``DeliveryStore``).
public struct TopicDeliveryStore: Sendable {
  /// A push that is routed.
  public struct Push: Sendable {
    public var request: NamedRequest
    public var topic: TopicAudience
    /// Code of the notification's type.
    public var type: Int

    public init(_ request: NamedRequest, to topic: TopicAudience, type: Int) {
      (self.request, self.topic, self.type) = (request, topic, type)
    }
  }

  /// What was known of a push before it was routed now.
  public enum Former: Sendable, Equatable {
    case unknown
    /// It may have been sent.
    case routed
    /// It has its final outcome.
    case finished
  }

  private let client: PostgresClient

  public init(client: PostgresClient) {
    self.client = client
  }

  /// Notes pushes that are routed.
  ///
  /// - Returns: For each what was known of it; of several of one request, the first is the one.
  public func note(_ pushes: [Push], now: Date) async throws(PostgresError) -> [Former] {
    guard !pushes.isEmpty else { return [] }
    var known: [RequestID: Former] = [:]
    let results = try await client.transaction([Self.noting(pushes, now: now), Self.finals(pushes.map(\.request.id))])
    for row in results[0] { known[try row.get(0)] = .unknown }
    for row in results[1] {
      let request: RequestID = try row.get(0)
      if known[request] == nil { known[request] = try row.get(1) ? .finished : .routed }
    }
    var seen: Set<RequestID> = []
    return pushes.map { seen.insert($0.request.id).inserted ? known[$0.request.id] ?? .routed : .routed }
  }

  /// What became of a request to a topic; nil if it is none.
  public func delivery(of request: RequestID) async throws(PostgresError) -> TopicDelivery? {
    try await client.query(Self.delivery(of: request)).first.map { (row) throws(PostgresError) in try TopicDelivery(row)
    }
  }

  // MARK: Statements

  /// In the order of their keys, so that concurrent calls do not deadlock.
  static func noting(_ pushes: [Push], now: Date) -> SQLQuery {
    """
    INSERT INTO topic_deliveries (request_id, request_owner, audience, target, type, routed_at)
    SELECT id, owner, audience, target, type, \(now)
    FROM unnest(\(pushes.map(\.request.id)), \(pushes.map(\.request.owner.text)), \(pushes.map(\.topic.kind.rawValue)),
      \(pushes.map(\.topic.text)), \(pushes.map { Int16(clamping: $0.type) })) AS p(id, owner, audience, target, type)
    ORDER BY id
    ON CONFLICT DO NOTHING
    RETURNING request_id
    """
  }

  static func finals(_ requests: [RequestID]) -> SQLQuery {
    """
    SELECT request_id, coalesce(outcome <> \(DeliveryOutcome.exhausted.rawValue), false)
    FROM topic_deliveries WHERE request_id = ANY (\(requests))
    """
  }

  static func delivery(of request: RequestID) -> SQLQuery {
    "SELECT \(unescaped: TopicDelivery.columns) FROM topic_deliveries WHERE request_id = \(request)"
  }
}
