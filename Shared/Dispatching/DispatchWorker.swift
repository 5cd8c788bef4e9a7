public import Broker
import Foundation
public import Logging
import NotificationModel
public import NotificationQueue
public import NotificationStore
public import ServiceLifecycle
import ServiceRuntime

/// Consumes a dispatch queue: tries every target, records outcomes, puts what failed on the retry ladder or parks it, and
/// only then acknowledges.
///
/// A message that may have been worked on before (redelivered, rechecked, or tried again) first drops the targets that
/// have a final outcome. What is left of doubling, a provider that accepted before a crash could record it, is hidden by
/// the channel's stable collapse id.
public struct DispatchWorker<Delivering: DeliveryChannel>: Service {
  private let channel: Delivering
  private let consumer: BrokerConsumer
  private let publisher: BrokerPublisher
  private let store: DeliveryStore
  private let outcomes: OutcomeWriter
  private let ladder: RetryLadder
  /// One for each target that is being tried.
  private let slots: Slots
  /// Held by the message whose targets get the slots that become free: so there are no more tasks than slots, and messages
  /// are finished in about their order.
  private let turn = Slots(count: 1)
  private let logger: Logger

  public init(
    channel: Delivering,
    consumer: BrokerConsumer,
    publisher: BrokerPublisher,
    store: DeliveryStore,
    ladder: RetryLadder,
    logger: Logger
  ) {
    self.channel = channel
    self.consumer = consumer
    self.publisher = publisher
    self.store = store
    outcomes = OutcomeWriter(store: store)
    self.ladder = ladder
    slots = Slots(count: channel.concurrency)
    self.logger = logger
  }

  /// Works until the service stops. As many messages are in hand as the consumer's prefetch allows.
  public func run() async throws {
    try await withGracefulShutdownHandler {
      try await consumer.run { batches in
        await withDiscardingTaskGroup { group in
          for await batch in batches {
            for delivery in batch { group.addTask { await handle(delivery) } }
          }
        }
      }
    } onGracefulShutdown: {
      consumer.stop()
    }
  }

  private func handle(_ delivery: BrokerDelivery) async {
    do {
      let message: DispatchMessage = try QueueCoder.decode(from: delivery.message)
      guard message.isConsistent else { throw QueueMessageError("a delivery points at no content") }
      let attempt = try await tryAll(message, from: delivery)
      if let attempt, try await settle(attempt, of: message, from: delivery) { consumer.acknowledge([delivery]) }
    } catch {
      await giveUp(delivery, reason: "cannot be processed: \(error)")
    }
  }

  /// Tries all targets at once that have no final outcome yet; nil if the service stops first.
  private func tryAll(_ message: DispatchMessage, from delivery: BrokerDelivery) async throws -> Attempt? {
    var finished: Set<DeliveryStore.Key> = []
    if message.recheck || message.attempt > 0 || delivery.redelivered || delivery.deliveryCount > 0 {
      let notifications = message.deliveries.map { ($0.userId, $0.notificationId) }
      let known = try await repeating { try await store.finished(notifications, channel: channel.channel) }
      guard let known else { return nil }
      finished = known
    }
    var attempt = Attempt(channel, ladder: ladder, attempt: message.attempt)
    await withTaskGroup(of: (DeliveryResult, Int, Int).self) { group in
      await turn.acquire()
      for (index, item) in message.deliveries.enumerated() {
        let content = message.contents[item.content]
        for (position, target) in item.targets.enumerated() {
          if finished.contains(.init(notificationID: item.notificationId, target: target.id)) { continue }
          await slots.acquire()
          // What is not ours any more is somebody else's to judge.
          if content.expiresAt <= Date.now, consumer.isCurrent(delivery) {
            slots.release()
            attempt.expire(item, target)
            continue
          }
          group.addTask {
            defer { slots.release() }
            // Nothing is begun that the broker has handed to somebody else meanwhile.
            guard !Task.isShuttingDownGracefully, !Task.isCancelled, consumer.isCurrent(delivery) else {
              return (.abandoned, index, position)
            }
            return (await channel.deliver(item, to: target, content: content), index, position)
          }
        }
      }
      turn.release()
      for await (result, index, position) in group {
        let item = message.deliveries[index]
        attempt.add(result, item, item.targets[position])
      }
    }
    return attempt
  }

  /// Records, puts back and parks, each step until it succeeds: everything that must be done before the message may be
  /// acknowledged. False if the service stops first.
  ///
  /// Outcomes come first: a crash after them leads to a redelivery that leaves the finished targets out.
  private func settle(
    _ attempt: Attempt,
    of message: DispatchMessage,
    from delivery: BrokerDelivery
  ) async throws -> Bool {
    if !attempt.forgotten.isEmpty {
      guard try await repeating({ try await channel.forget(attempt.forgotten) }) != nil else { return false }
    }
    // If the whole message comes back, a failure must not be counted or put back as well.
    let records = attempt.isAbandoned ? attempt.records.filter(\.outcome.isFinal) : attempt.records
    guard try await repeating({ try await outcomes.write(records) }) != nil, !attempt.isAbandoned else { return false }
    let since = message.failingSince ?? Date.now
    for (key, deliveries) in attempt.retries {
      let part = message.keeping(deliveries, attempt: key.attempt, failingSince: since, recheck: true)
      let wrapped = try wrap(part, like: delivery.message)
      let isPutBack: Void? = try await repeating {
        try await publisher.publish(wrapped, exchange: Topology.retryExchange, routingKey: key.tier)
      }
      guard isPutBack != nil else { return false }
    }
    guard !attempt.exhausted.isEmpty else { return true }
    logger.error(
      "deliveries are parked in the dead-letter queue",
      metadata: [
        "deliveries": "\(attempt.exhausted.count)", "reason": "\(attempt.lastReason)", "failingSince": "\(since)",
      ]
    )
    // Parked with no failures counted, so that a redrive starts afresh.
    let part = message.keeping(attempt.exhausted, attempt: 0, failingSince: nil, recheck: true)
    let wrapped = try wrap(part, like: delivery.message)
    return try await repeating {
      try await park(wrapped, reason: "gave up: \(attempt.lastReason)", attempts: message.attempt + 1)
    } != nil
  }

  /// Parks a message that cannot be worked on, and acknowledges it.
  private func giveUp(_ delivery: BrokerDelivery, reason: String) async {
    logger.error("message is parked in the dead-letter queue", metadata: ["reason": "\(reason)"])
    do {
      let isParked: Void? = try await repeating {
        try await park(delivery.message, reason: reason, attempts: delivery.deliveryCount + 1)
      }
      if isParked != nil { consumer.acknowledge([delivery]) }
    } catch {
      logger.error("message is dead-lettered by the broker", metadata: ["error": "\(error)"])
      consumer.reject(delivery, requeue: false)
    }
  }

  /// Repeats `work` while it fails for reasons that may pass; nil if the service stops first.
  ///
  /// - Throws: What will not pass.
  private func repeating<Value>(_ work: () async throws -> Value) async throws -> Value? {
    var backoff = Backoff()
    while true {
      do {
        return try await work()
      } catch  where error.isCancellation {
        return nil
      } catch  where error.isTransientFailure {
        logger.warning("waiting for database or broker", metadata: ["error": "\(error)"])
        do {
          try await backoff.pause()
        } catch {
          return nil  // the service stops; the broker keeps the message
        }
      }
    }
  }

  private func wrap(_ message: DispatchMessage, like original: BrokerMessage) throws -> BrokerMessage {
    var wrapped = BrokerMessage(
      body: QueueCoder.encode(message),
      contentType: "application/json",
      type: channel.queue.name,
      appID: original.appID,
      timestamp: Date.now
    )
    if let trace = original.headers["traceparent"] { wrapped.headers["traceparent"] = trace }
    return wrapped
  }

  private func park(_ message: BrokerMessage, reason: String, attempts: Int) async throws {
    let queue = channel.queue.name
    try await ParkingPlace(queue: queue, publisher: publisher).park(
      message,
      reason: reason,
      exchange: Topology.dispatchExchange,
      routingKey: queue,
      attempts: attempts
    )
  }
}
