import Broker
import Foundation
import BelfryJSON
import NotificationModel
import NotificationQueue
import NotificationStore

/// Publishes what the router produces and waits for the broker's confirms.
struct RouterPublisher {
  let publisher: any MessagePublisher
  /// Dates what goes to the ingest queue: routers compare that with the time, by the same clock. All else is dated by this machine's
  /// clock, as those who take it read theirs.
  let clock: @Sendable () -> Date

  /// Publishes the messages of one routed batch, all at once; returns when each is confirmed.
  func send(
    _ dispatches: [(queue: WorkQueue, message: DispatchMessage)] = [],
    realtime: [(shard: Shard, message: RealtimeMessage)] = []
  ) async throws {
    try await withThrowingTaskGroup { group in
      for (queue, message) in dispatches {
        let message = Self.message(QueueCoder.encode(message), type: queue.name, at: .now)
        group.addTask { [publisher] in
          try await publisher.publish(
            message,
            exchange: Topology.dispatchExchange,
            routingKey: queue.name
          )
        }
      }
      for (shard, message) in realtime {
        var wrapped = Self.message(QueueCoder.encode(message), type: RealtimeMessage.messageType, at: .now)
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
  ///
  /// - Parameter catalogueVersion: That which has their types.
  func putBack(_ orders: [RoutingOrder], catalogueVersion: Int? = nil) async throws {
    try await withThrowingTaskGroup { group in
      for order in orders {
        var message = Self.message(QueueCoder.encode(order), type: order.messageType, at: clock())
        message.catalogueVersion = catalogueVersion
        group.addTask { [publisher, message] in
          try await publisher.publish(message, exchange: Topology.ingestExchange, routingKey: Topology.requestKey)
        }
      }
      try await group.waitForAll()
    }
  }

  /// Puts a request back of whose audience some are routed: it goes on after `bookmark`.
  func putBack(_ request: BrokerMessage, as id: RequestID, after bookmark: UserID) async throws {
    let hasOwnID = [ScheduledSend.messageType, NoticeRequest.messageType].contains(request.type)
    var request = hasOwnID ? request : Self.stamped(request, as: id)
    request.bookmark = bookmark
    // This router knows what it is about: others have as long again to learn of it.
    request.timestamp = clock()
    try await publisher.publish(request, exchange: Topology.ingestExchange, routingKey: Topology.requestKey)
  }

  /// Puts what has come due on the ingest queue.
  func publish(_ sends: [ScheduledSend]) async throws {
    try await ingest(
      sends.map { send in
        var message = Self.message(QueueCoder.encode(send), type: ScheduledSend.messageType, at: clock())
        message.catalogueVersion = send.catalogueVersion
        return message
      }
    )
  }

  /// Publishes what rules want sent, all at once; returns when each is confirmed.
  func send(notices: [RuleStore.Notice]) async throws {
    try await ingest(
      notices.map { notice in
        var message = Self.message(notice.body, type: NoticeRequest.messageType, at: clock())
        message.messageID = notice.id.description
        message.catalogueVersion = (try? JSONParser.parse(notice.body))?["catalogue"]?.integer
        return message
      }
    )
  }

  private func ingest(_ messages: [BrokerMessage]) async throws {
    try await withThrowingTaskGroup { group in
      for message in messages {
        group.addTask { [publisher] in
          try await publisher.publish(message, exchange: Topology.ingestExchange, routingKey: Topology.requestKey)
        }
      }
      try await group.waitForAll()
    }
  }

  /// Puts requests or events that came without an id back with one, all at once, so that a crash from here on doubles nothing.
  ///
  /// - Parameter catalogueVersion: That which accepted them.
  /// - Returns: For each message why it was not confirmed; nil if it was.
  func stamp(
    _ messages: [(message: BrokerMessage, id: RequestID, kind: IngestKind)],
    catalogueVersion: Int? = nil
  ) async -> [BrokerError?] {
    await publish(
      messages.map { message, id, kind in
        var stamped = Self.stamped(message, as: id, kind)
        stamped.catalogueVersion = catalogueVersion
        return (stamped, kind.routingKey)
      },
      exchange: Topology.ingestExchange
    )
  }

  /// Postpones messages, all at once: they come back as they were after a pause.
  ///
  /// - Returns: For each message why it was not confirmed; nil if it was.
  func postpone(_ deliveries: [BrokerDelivery], for pause: Duration) async -> [BrokerError?] {
    await publish(
      deliveries.map { delivery in
        var message = delivery.message
        message.expiration = pause
        // From here on it says how long it has waited.
        message.timestamp = message.timestamp ?? clock()
        message.isPersistent = true
        // Whatever other key it came under, it would not come back under it.
        let key = delivery.routingKey == Topology.eventKey ? Topology.eventKey : Topology.requestKey
        return (message, key)
      },
      exchange: Topology.retryExchange
    )
  }

  private func publish(
    _ messages: [(message: BrokerMessage, key: String)],
    exchange: String
  ) async -> [BrokerError?] {
    await withTaskGroup(of: (Int, BrokerError?).self) { group in
      for (position, (message, key)) in messages.enumerated() {
        group.addTask { [publisher] in
          do throws(BrokerError) {
            try await publisher.publish(message, exchange: exchange, routingKey: key)
            return (position, nil)
          } catch {
            return (position, error)
          }
        }
      }
      return await group.reduce(into: [BrokerError?](repeating: nil, count: messages.count)) { $0[$1.0] = $1.1 }
    }
  }

  private static func stamped(
    _ message: BrokerMessage,
    as id: RequestID,
    _ kind: IngestKind = .request
  ) -> BrokerMessage {
    var stamped = message
    stamped.messageID = id.description
    stamped.type = kind.messageType
    stamped.isPersistent = true
    return stamped
  }

  /// Dead-letters a message that cannot be processed.
  func deadLetter(_ delivery: BrokerDelivery, reason: String) async throws {
    try await DeadLetterPublisher(queue: Topology.ingestQueue, publisher: publisher).publish(
      delivery.message,
      reason: reason,
      exchange: delivery.exchange,
      routingKey: delivery.routingKey,
      attempts: delivery.deliveryCount + 1
    )
  }

  private static func message(_ body: [UInt8], type: String, at time: Date) -> BrokerMessage {
    BrokerMessage(
      body: body,
      contentType: "application/json",
      type: type,
      appID: "belfry-router",
      timestamp: time
    )
  }
}
