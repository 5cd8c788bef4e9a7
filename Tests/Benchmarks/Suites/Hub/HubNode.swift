import Broker
import Foundation
import BelfryJSON
import LocalStack
import NotificationModel
import NotificationQueue
import Postgres

/// One in-app node, and a publisher that notifies its users as the router does.
struct HubNode: FanOutServer {
  let name = "Belfry"
  let process: StackProcess
  let dialect: ClientDialect
  private let publisher: BrokerPublisher
  /// Those who get the events, by shard.
  private let shards: [Shard: [UserID]]
  private let audience: [UserID]

  /// Signs a token for each user; connects nobody.
  ///
  /// - Parameter audience: How many of the users get the events: the first ones.
  init(_ bench: Bench, publisher: BrokerPublisher, users: Int, audience: Int) async throws {
    let users = (0..<users).map { _ in UserID(UUID()) }
    process = bench.stack.services(.inapp)[0]
    self.publisher = publisher
    self.audience = Array(users.prefix(audience))
    shards = Dictionary(grouping: self.audience, by: Shard.of)
    dialect = .signalR(port: process.port, tokens: try await bench.tokens(of: users))
  }

  var port: Int { process.port }
  var processes: [Int32] { process.pid.map { [$0] } ?? [] }

  /// One message for each shard, all at once.
  func event(_ number: Int) -> @Sendable () async throws -> Void {
    let messages = shards.map { ($0, message(number, to: $1)) }
    return { [publisher] in
      try await withThrowingDiscardingTaskGroup { group in
        for (shard, message) in messages {
          group.addTask {
            try await publisher.publish(
              message,
              exchange: Topology.realtimeExchange,
              routingKey: shard.routingKey,
              mandatory: false
            )
          }
        }
      }
    }
  }

  /// Stores an event as everybody's notification, and notifies nobody.
  ///
  /// - Parameter seq: Of each inbox; they are filled from 1 on.
  func store(_ number: Int, at seq: Int, _ database: PostgresClient) async throws {
    _ = try await database.transaction([
      """
      INSERT INTO notifications (user_id, id, request_id, type, title, body, in_app, push, email, seq, created_at,
        expires_at)
      SELECT user_id, (left(belfry_uuid_at(now())::text, 13) || '-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
        user_id, 12, 'Missed', \(EventArrivals.text(number)), 0, 1, 1, \(seq), now(), now() + interval '1 day'
      FROM unnest(\(audience)) WITH ORDINALITY AS a(user_id, n)
      """,
      """
      INSERT INTO inbox (user_id, unread, total, seq)
      SELECT user_id, \(seq), \(seq), \(seq) FROM unnest(\(audience)) AS a(user_id)
      ON CONFLICT (user_id) DO UPDATE SET unread = excluded.unread, total = excluded.total, seq = excluded.seq
      """,
    ])
  }

  /// A backend's event for these users, as the router relays it.
  private func message(_ number: Int, to users: [UserID]) -> BrokerMessage {
    let payload: [(String, String)] = [
      ("transactionId", "0190c2a5-7b8e-7c3f-9a51-3f2f6f9be001"), ("childId", "4f9c1c1e-0001-4000-8000-000000000001"),
      ("amount", "10.00"), ("type", "Credit"), ("description", EventArrivals.text(number)), ("balanceAfter", "42.00"),
      ("createdAt", "2026-01-31T08:00:00.000Z"),
    ]
    let relay = RealtimeMessage.Relay(
      name: "TransactionCreated",
      payload: .object(payload.map { JSONMember($0, $1) }),
      arguments: [],
      userIds: users
    )
    return BrokerMessage(
      body: QueueCoder.encode(RealtimeMessage(relays: [relay])),
      contentType: "application/json",
      type: RealtimeMessage.messageType,
      appID: "belfry-bench",
      timestamp: Date.now,
      isPersistent: false
    )
  }
}
