import Broker
import Foundation
import Logging
import NotificationModel
import NotificationQueue
import NotificationStore
import Postgres
import Retrying
import ServiceFaults

/// What is done with a message when all its targets have been tried.
extension DispatchWorker {
  /// Records, puts back and dead-letters, each step until it succeeds: everything that must be done before the message may be
  /// acknowledged. False if the service stops first, or the broker delivers the message again anyway.
  ///
  /// Outcomes come first: a crash after them leads to a redelivery that leaves the finished targets out.
  func settle(_ work: InFlightMessage) async throws -> Bool {
    guard try await repeating(work.message, { try await work.recordOutcomes(outcomes.write) }) != nil else {
      return false
    }
    let attempt = work.attempt
    if !attempt.forgotten.isEmpty {
      guard try await repeating(work.message, { try await channel.forget(attempt.forgotten) }) != nil else {
        return false
      }
    }
    // If the broker delivers the whole message again, a failure must not be counted or put back as well.
    let comesBack = attempt.isAbandoned || !consumer.isCurrent(work.received)
    let late = comesBack ? attempt.lateRecords.filter(\.outcome.isFinal) : attempt.lateRecords
    let records = work.unrecorded + late
    guard try await repeating(work.message, { try await outcomes.write(records) }) != nil, !comesBack else {
      return false
    }
    let since = work.message.failingSince ?? Date.now
    for (key, deliveries) in attempt.retries {
      let part = work.message.keeping(
        deliveries,
        attempt: key.failures,
        failingSince: since,
        notBefore: key.notBefore,
        recheck: true
      )
      let wrapped = wrap(part, like: work.received.message)
      let putBack: Void? = try await repeating(work.message) {
        try await publisher.publish(wrapped, exchange: Topology.retryExchange, routingKey: key.tier)
      }
      guard putBack != nil else { return false }
    }
    guard !attempt.exhausted.isEmpty else { return true }
    logger.error(
      "deliveries are parked in the dead-letter queue",
      metadata: [
        "deliveries": "\(attempt.exhausted.count)", "reason": "\(attempt.lastReason)", "failingSince": "\(since)",
      ]
    )
    // Dead-lettered with no failures counted, so that a redrive starts afresh.
    let part = work.message.keeping(attempt.exhausted, attempt: 0, failingSince: nil, recheck: true)
    let wrapped = wrap(part, like: work.received.message)
    return try await repeating(work.message) {
      try await publishDeadLetter(wrapped, reason: "gave up: \(attempt.lastReason)", attempts: work.message.attempt + 1)
    } != nil
  }

  /// Puts a message back as it is that a router of a later version wrote, for a dispatcher of that version: in a rolling
  /// upgrade there will be one.
  func putBack(_ received: BrokerDelivery, reason: String) async {
    guard consumer.isCurrent(received) else { return }
    let tier = ladder.tier(atLeast: versionSkewRetry.pause)
    logger.notice(
      "a message waits for a dispatcher of its version",
      metadata: ["reason": "\(reason)", "seconds": "\(tier.delay / .seconds(1))"]
    )
    do {
      let putBack: Void? = try await repeating(nil) {
        try await publisher.publish(
          received.message,
          exchange: Topology.retryExchange,
          routingKey: tier.queue(of: channel.queue)
        )
      }
      if putBack != nil { consumer.acknowledge([received]) }
    } catch {
      await deadLetter(received, received.message, reason: "cannot be processed: \(reason)")
    }
  }

  /// Dead-letters a message that cannot be worked on, and acknowledges it.
  ///
  /// - Parameter message: What is dead-lettered in its place.
  func deadLetter(_ received: BrokerDelivery, _ message: BrokerMessage, reason: String) async {
    // The consumer that the broker has handed it to meanwhile decides about it.
    guard consumer.isCurrent(received) else { return }
    logger.error("message is parked in the dead-letter queue", metadata: ["reason": "\(reason)"])
    do {
      let published: Void? = try await repeating(nil) {
        try await publishDeadLetter(message, reason: reason, attempts: min(received.deliveryCount, Int(Int16.max)) + 1)
      }
      if published != nil { consumer.acknowledge([received]) }
    } catch {
      logger.error("message is dead-lettered by the broker", metadata: ["error": "\(error)"])
      consumer.reject(received, requeue: false)
    }
  }

  /// Repeats `work` while it fails for reasons that pass, by themselves or once the operator has fixed something; nil if
  /// the service stops first.
  ///
  /// - Parameter message: What it is done for.
  /// - Throws: What will not pass.
  func repeating<Value>(_ message: DispatchMessage?, _ work: () async throws -> Value) async throws -> Value? {
    var backoff = Backoff()
    while true {
      do {
        let value = try await work()
        faults.passed()
        return value
      } catch  where error.isCancellation {
        return nil
      } catch {
        if let fault = serviceFault(error, of: message) {
          faults.met(fault, error)
        } else if error.isTransientFailure {
          logger.warning("waiting for database or broker", metadata: ["error": "\(error)"])
        } else {
          throw error
        }
        do {
          try await backoff.pause()
        } catch {
          return nil  // the service stops; the broker keeps the message
        }
      }
    }
  }

  /// What the operator must fix before the work can succeed; nil if that would not help.
  ///
  /// For a notification that is older than what is kept, as one that was redriven late, no partition will come.
  private func serviceFault(_ error: any Error, of message: DispatchMessage?) -> ServiceFault? {
    guard (error as? PostgresError)?.installationFault == .missingPartition, let message else {
      return ServiceFault(error)
    }
    let now = Date.now
    let isKept = message.deliveries.allSatisfy { delivery in
      delivery.notificationId.time.map { $0 > now - Self.shortestRetention && $0 < now + 3_600 } ?? false
    }
    return isKept ? ServiceFault(error) : nil
  }

  /// For so long there are partitions in every installation: the least that `maintenance.retention` takes.
  private static var shortestRetention: TimeInterval { 7 * 86_400 }

  func wrap(_ message: DispatchMessage, like original: BrokerMessage) -> BrokerMessage {
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

  private func publishDeadLetter(_ message: BrokerMessage, reason: String, attempts: Int) async throws {
    let queue = channel.queue.name
    try await DeadLetterPublisher(queue: queue, publisher: publisher).publish(
      message,
      reason: reason,
      exchange: Topology.dispatchExchange,
      routingKey: queue,
      attempts: attempts
    )
  }
}
