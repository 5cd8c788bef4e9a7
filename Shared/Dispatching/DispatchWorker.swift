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
  private let slots: Slots
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
    let message: DispatchMessage
    do {
      message = try QueueCoder.decode(from: delivery.message)
      guard message.isConsistent else { throw QueueMessageError("a delivery points at no content") }
    } catch {
      logger.error("message is parked in the dead-letter queue", metadata: ["reason": "\(error)"])
      await finish(delivery) { try await park(delivery, delivery.message, reason: "invalid: \(error)", attempts: 1) }
      return
    }
    var finished: Set<DeliveryStore.Key> = []
    if message.recheck || message.attempt > 0 || delivery.redelivered || delivery.deliveryCount > 0 {
      guard
        let known = await repeating({
          try await store.finished(message.deliveries.map { ($0.userId, $0.notificationId) }, channel: channel.channel)
        })
      else { return }
      finished = known
    }
    let attempt = await tryAll(message, without: finished)
    await finish(delivery, isAbandoned: attempt.isAbandoned) { try await settle(attempt, of: message, from: delivery) }
  }

  /// Tries all targets at once that have no final outcome yet.
  private func tryAll(_ message: DispatchMessage, without finished: Set<DeliveryStore.Key>) async -> Attempt {
    var attempt = Attempt(channel, ladder: ladder, attempt: message.attempt)
    let now = Date.now
    await withTaskGroup(of: (DeliveryResult, Int, Int).self) { group in
      for (index, delivery) in message.deliveries.enumerated() {
        let content = message.contents[delivery.content]
        for (position, target) in delivery.targets.enumerated() {
          if finished.contains(.init(notificationID: delivery.notificationId, target: target.id)) { continue }
          if content.expiresAt <= now {
            attempt.expire(delivery, target)
            continue
          }
          group.addTask {
            await slots.withSlot {
              guard !Task.isShuttingDownGracefully, !Task.isCancelled else { return (.abandoned, index, position) }
              return (await channel.deliver(delivery, to: target, content: content), index, position)
            }
          }
        }
      }
      for await (result, index, position) in group {
        let delivery = message.deliveries[index]
        attempt.add(result, delivery, delivery.targets[position])
      }
    }
    return attempt
  }

  /// Records, puts back and parks: everything that must be done before the message may be acknowledged.
  private func settle(_ attempt: Attempt, of message: DispatchMessage, from delivery: BrokerDelivery) async throws {
    if !attempt.forgotten.isEmpty { try await channel.forget(attempt.forgotten) }
    guard !attempt.isAbandoned else {
      // The whole message comes back: only what is final may be kept, or a failure would be tried twice over.
      return try await outcomes.write(attempt.records.filter(\.outcome.isFinal))
    }
    let since = message.failingSince ?? Date.now
    for (key, deliveries) in attempt.retries {
      let part = message.keeping(deliveries, attempt: key.attempt, failingSince: since, recheck: true)
      try await publisher.publish(
        wrap(part, like: delivery.message),
        exchange: Topology.retryExchange,
        routingKey: key.tier
      )
    }
    if !attempt.exhausted.isEmpty {
      // Parked with no failures counted, so that a redrive starts afresh.
      let part = message.keeping(attempt.exhausted, attempt: 0, failingSince: nil, recheck: true)
      logger.error(
        "deliveries are parked in the dead-letter queue",
        metadata: ["deliveries": "\(attempt.exhausted.count)", "reason": "\(attempt.lastReason)"]
      )
      try await park(
        delivery,
        wrap(part, like: delivery.message),
        reason: "gave up: \(attempt.lastReason)",
        attempts: message.attempt + 1
      )
    }
    try await outcomes.write(attempt.records)
  }

  /// Repeats `work` until it succeeds, then acknowledges; leaves the message with the broker if the service stops first
  /// or part of it was abandoned.
  private func finish(
    _ delivery: BrokerDelivery,
    isAbandoned: Bool = false,
    _ work: () async throws -> Void
  ) async {
    guard await repeating(work) != nil, !isAbandoned else { return }
    consumer.acknowledge([delivery])
  }

  private func repeating<Value>(_ work: () async throws -> Value) async -> Value? {
    var backoff = Backoff()
    while true {
      do {
        return try await work()
      } catch  where error.isCancellation {
        return nil
      } catch {
        if error.isTransientFailure {
          logger.warning("waiting for database or broker", metadata: ["error": "\(error)"])
        } else {
          logger.error("cannot finish a message, trying again", metadata: ["error": "\(String(reflecting: error))"])
        }
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
      body: try QueueCoder.encode(message),
      contentType: "application/json",
      type: channel.queue.name,
      appID: original.appID,
      timestamp: Date.now
    )
    if let trace = original.headers["traceparent"] { wrapped.headers["traceparent"] = trace }
    return wrapped
  }

  private func park(
    _ delivery: BrokerDelivery,
    _ message: BrokerMessage,
    reason: String,
    attempts: Int
  ) async throws {
    let queue = channel.queue.name
    let parked = DeadLetter.parked(
      message,
      reason: reason,
      queue: queue,
      exchange: Topology.dispatchExchange,
      routingKey: queue,
      attempts: attempts
    )
    try await publisher.publish(parked, exchange: Topology.deadExchange, routingKey: Topology.deadQueue(of: queue))
  }
}
