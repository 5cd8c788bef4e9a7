import Broker
import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore

/// Publishes what the router produces and waits for the broker's confirms.
struct Outbox {
  let publisher: any MessagePublisher

  /// Publishes the messages of one routed batch, all at once; returns when each is confirmed.
  func send(
    _ dispatches: [(queue: WorkQueue, message: DispatchMessage)] = [],
    realtime: [(shard: Shard, message: RealtimeMessage)] = []
  ) async throws {
    try await withThrowingTaskGroup { group in
      for (queue, message) in dispatches {
        let body = QueueCoder.encode(message)
        group.addTask { [publisher] in
          try await publisher.publish(
            Self.message(body, type: queue.name),
            exchange: Topology.dispatchExchange,
            routingKey: queue.name
          )
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
  func putBack(_ parts: [RoutedPart]) async throws {
    try await withThrowingTaskGroup { group in
      for part in parts {
        let message = Self.message(QueueCoder.encode(part), type: part.messageType)
        group.addTask { [publisher] in
          try await publisher.publish(message, exchange: Topology.ingestExchange, routingKey: Topology.requestKey)
        }
      }
      try await group.waitForAll()
    }
  }

  /// Publishes what rules want told, all at once; returns when each is confirmed.
  func send(notices: [RuleStore.Notice]) async throws {
    try await withThrowingTaskGroup { group in
      for notice in notices {
        var message = Self.message(notice.body, type: NoticeRequest.messageType)
        message.messageID = notice.id.description
        group.addTask { [publisher, message] in
          try await publisher.publish(message, exchange: Topology.ingestExchange, routingKey: Topology.requestKey)
        }
      }
      try await group.waitForAll()
    }
  }

  /// Puts requests or events that came without an id back with one, all at once, so that a crash from here on doubles nothing.
  ///
  /// - Returns: For each message why it was not confirmed; nil if it was.
  func stamp(
    _ messages: [(message: BrokerMessage, id: RequestID)],
    as kind: IngestKind = .request
  ) async -> [BrokerError?] {
    await withTaskGroup(of: (Int, BrokerError?).self) { group in
      for (position, (message, id)) in messages.enumerated() {
        var stamped = message
        stamped.messageID = id.description
        stamped.type = kind.messageType
        stamped.isPersistent = true
        group.addTask { [publisher, stamped] in
          do throws(BrokerError) {
            try await publisher.publish(stamped, exchange: Topology.ingestExchange, routingKey: kind.routingKey)
            return (position, nil)
          } catch {
            return (position, error)
          }
        }
      }
      return await group.reduce(into: [BrokerError?](repeating: nil, count: messages.count)) { $0[$1.0] = $1.1 }
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
