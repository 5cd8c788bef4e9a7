import Broker
import Foundation
import NotificationModel
import NotificationQueue

/// Publishes what the router produces and waits for the broker's confirms.
struct Outbox {
  let publisher: BrokerPublisher

  /// Publishes the messages of one routed batch, all at once; returns when each is confirmed.
  func send(
    push: [DispatchMessage],
    email: [DispatchMessage],
    realtime: [(shard: Shard, message: RealtimeMessage)]
  ) async throws {
    try await withThrowingTaskGroup { group in
      for (queue, messages) in [(WorkQueue.push, push), (.email, email)] {
        for message in messages {
          let body = QueueCoder.encode(message)
          group.addTask { [publisher] in
            try await publisher.publish(
              Self.message(body, type: queue.name),
              exchange: Topology.dispatchExchange,
              routingKey: queue.name
            )
          }
        }
      }
      for (shard, message) in realtime {
        var wrapped = Self.message(QueueCoder.encode(message), type: RealtimeMessage.messageType)
        // Nobody connected is no failure, and the inbox remembers: neither mandatory nor persistent.
        wrapped.isPersistent = false
        group.addTask { [publisher, wrapped] in
          try await publisher.publish(
            wrapped,
            exchange: Topology.realtimeExchange,
            routingKey: shard.routingKey,
            mandatory: false
          )
        }
      }
      try await group.waitForAll()
    }
  }

  /// Puts the parts of a large group's send back on the ingest queue.
  func putBack(_ chunks: [GroupChunk]) async throws {
    try await withThrowingTaskGroup { group in
      for chunk in chunks {
        let message = Self.message(QueueCoder.encode(chunk), type: GroupChunk.messageType)
        group.addTask { [publisher] in
          try await publisher.publish(message, exchange: Topology.ingestExchange, routingKey: Topology.requestKey)
        }
      }
      try await group.waitForAll()
    }
  }

  /// Puts requests that came without an id back with one, all at once, so that a crash from here on doubles nothing.
  func stamp(_ messages: [(message: BrokerMessage, id: RequestID)]) async throws {
    try await withThrowingTaskGroup { group in
      for (message, id) in messages {
        var stamped = message
        stamped.messageID = id.description
        stamped.type = IngestKind.request.messageType
        stamped.isPersistent = true
        group.addTask { [publisher, stamped] in
          try await publisher.publish(stamped, exchange: Topology.ingestExchange, routingKey: Topology.requestKey)
        }
      }
      try await group.waitForAll()
    }
  }

  /// Parks a message that cannot be processed.
  func park(_ delivery: BrokerDelivery, reason: String) async throws {
    try await ParkingPlace(queue: Topology.ingestQueue, publisher: publisher).park(
      delivery.message,
      reason: reason,
      exchange: delivery.exchange,
      routingKey: delivery.routingKey,
      attempts: delivery.deliveryCount + 1
    )
  }

  private static func message(_ body: [UInt8], type: String) -> BrokerMessage {
    BrokerMessage(
      body: body,
      contentType: "application/json",
      type: type,
      appID: "belfry-router",
      timestamp: Date.now
    )
  }
}
