import Broker
import Crypto
import Foundation
import Logging
import NotificationModel
import NotificationQueue
import NotificationStore
import Retrying
import ServiceLifecycle

/// Consumes `belfry.ingest`: takes what has arrived as one batch, routes it, and only then acknowledges it.
///
/// A crash at any point leads to redelivery; the repetition finds what is stored and doubles nothing.
struct IngestWorker: Service {
  let consumer: BrokerConsumer
  let decoder: IngestDecoder
  let router: BatchRouter
  let events: EventRouter
  let groups: GroupStore
  let idempotency: IdempotencyStore
  let outbox: Outbox
  let maximumTransaction: Int
  let chunkSize: Int
  let logger: Logger

  func run() async throws {
    try await withGracefulShutdownHandler {
      try await consumer.run { batches in
        for await batch in batches { await batch.withSpan { await handle(batch) } }
      }
    } onGracefulShutdown: {
      consumer.stop()
    }
  }

  /// Processes a batch until it succeeds, is parked, or the service stops; unfinished work stays unacknowledged.
  private func handle(_ deliveries: [BrokerDelivery]) async {
    var batch = IngestBatch(deliveries: deliveries)
    var backoff = Backoff()
    while !batch.pending.isEmpty {
      // The broker hands out anew what came over a connection that is gone.
      batch.finish(batch.pending.filter { !consumer.isCurrent(deliveries[$0]) })
      do {
        try await process(&batch)
      } catch  where error.isCancellation {
        return
      } catch  where error.isTransientFailure {
        logger.warning(
          "routing failed, trying again",
          metadata: ["messages": "\(batch.pending.count)", "error": "\(error)"]
        )
        guard await hasPaused(&backoff) else { return }
      } catch  where batch.pending.count > 1 {
        // One message spoils the batch: each is tried by itself, so that only that one is parked.
        for index in batch.pending { await handle([deliveries[index]]) }
        return
      } catch {
        logger.error("message cannot be routed and is parked", metadata: ["error": "\(String(reflecting: error))"])
        guard await isParked(batch.pending[0], of: &batch, reason: "routing failed: \(error)") else { return }
      }
    }
  }

  /// Parks a message, however long that takes; false if the service stops first.
  private func isParked(_ index: Int, of batch: inout IngestBatch, reason: String) async -> Bool {
    var backoff = Backoff()
    while true {
      do {
        try await park(index, of: &batch, reason: reason)
        return true
      } catch  where !error.isTransientFailure && !error.isCancellation {
        // Not even a bare copy can be published: the broker itself moves the original.
        logger.error("message is dead-lettered by the broker", metadata: ["error": "\(error)", "reason": "\(reason)"])
        consumer.reject(batch.deliveries[index], requeue: false)
        batch.finish([index])
        return true
      } catch {
        logger.warning("parking failed, trying again", metadata: ["error": "\(error)"])
        guard await hasPaused(&backoff) else { return false }
      }
    }
  }

  private func hasPaused(_ backoff: inout Backoff) async -> Bool {
    do {
      try await backoff.pause()
      return true
    } catch {
      return false  // the service stops; the broker keeps the messages
    }
  }

  // MARK: One batch

  private func process(_ batch: inout IngestBatch) async throws {
    let now = Date.now
    var jobs: [(index: Int, job: RoutingJob)] = []
    var keyed: [(index: Int, claim: IdempotencyStore.Claim, request: SendRequest, type: NotificationType)] = []
    var relayed: [(index: Int, event: RelayedEvent)] = []
    var anonymous: [(index: Int, message: BrokerMessage, id: RequestID)] = []
    for index in batch.pending {
      let message = batch.deliveries[index].message
      switch decoder.decode(message, routingKey: batch.deliveries[index].routingKey, now: now) {
      case .request(let id, let request, let type):
        if let job = try await job(id, request, type) { jobs.append((index, job)) } else { done([index], of: &batch) }
      case .keyed(let scope, let key, let request, let type):
        let claim = IdempotencyStore.Claim(
          scope: scope,
          key: key,
          requestID: RequestID(now: now),
          bodyHash: Array(SHA256.hash(data: message.body))
        )
        keyed.append((index, claim, request, type))
      case .anonymous:
        anonymous.append((index, message, batch.stamp(of: index, now: now)))
      case .event(let event):
        relayed.append((index, event))
      case .chunk(let chunk):
        if let type = decoder.catalogue.type(.code(chunk.content.type)) {
          let job = RoutingJob(
            requestID: chunk.requestId,
            type: type,
            content: chunk.content,
            channels: chunk.channels,
            users: chunk.users
          )
          jobs.append((index, job))
        } else {
          try await park(index, of: &batch, reason: "type \(chunk.content.type) is not in this router's catalogue")
        }
      case .invalid(let reason):
        try await park(index, of: &batch, reason: reason)
      }
    }
    try await events.route(relayed.map(\.event)) { confirmed in
      done(confirmed.map { relayed[$0].index }, of: &batch)
    }
    try await outbox.stamp(anonymous.map { ($0.message, $0.id) })
    done(anonymous.map(\.index), of: &batch)
    let entries = try await idempotency.claim(keyed.map(\.claim))
    for (item, entry) in zip(keyed, entries) {
      if !entry.isSameBody {
        try await park(
          item.index,
          of: &batch,
          reason: "message-id '\(item.claim.key)' was used before with another body"
        )
      } else if let job = try await job(entry.requestID, item.request, item.type) {
        jobs.append((item.index, job))
      } else {
        done([item.index], of: &batch)
      }
    }
    try await route(jobs, of: &batch, now: now)
  }

  /// Routes jobs in slices of at most `maximumTransaction` recipients, acknowledging each slice when it is done.
  private func route(_ jobs: [(index: Int, job: RoutingJob)], of batch: inout IngestBatch, now: Date) async throws {
    var slice: [(index: Int, job: RoutingJob)] = []
    var count = 0
    for (position, item) in jobs.enumerated() {
      slice.append(item)
      count += item.job.users.count
      let next = position + 1 < jobs.count ? jobs[position + 1].job.users.count : maximumTransaction
      guard count + next > maximumTransaction else { continue }
      try await router.route(slice.map(\.job), now: now)
      done(slice.map(\.index), of: &batch)
      slice.removeAll()
      count = 0
    }
  }

  /// The request as a job; nil if it was cut into parts, or is for nobody.
  private func job(_ id: RequestID, _ request: SendRequest, _ type: NotificationType) async throws -> RoutingJob? {
    let createdAt = id.time ?? Date.now
    let content = NotificationContent(
      type: type,
      text: type.template.render(title: request.title, body: request.body, data: request.data),
      data: request.data,
      relatedEntityType: request.relatedEntityType,
      relatedEntityId: request.relatedEntityID,
      collapseKey: request.collapseKey,
      createdAt: createdAt,
      expiresAt: request.expiresAt ?? createdAt + TimeInterval(type.timeToLive)
    )
    func job(_ users: [UserID]) -> RoutingJob? {
      guard !users.isEmpty else {
        logger.info("request is for nobody", metadata: ["request": "\(id)"])
        return nil
      }
      return RoutingJob(requestID: id, type: type, content: content, channels: request.channels, users: users)
    }
    switch request.audience {
    case .users(let users):
      return job(users)
    case .group(let group, let except):
      var members = try await groups.members(of: group, limit: chunkSize + 1)
      if members.count <= chunkSize { return job(members.filter { !except.contains($0) }) }
      while !members.isEmpty {
        let part = Array(members.prefix(chunkSize))
        let users = part.filter { !except.contains($0) }
        try await outbox.putBack([
          GroupChunk(requestId: id, content: content, channels: request.channels, users: users)
        ])
        members = try await groups.members(of: group, after: part.last, limit: chunkSize)
      }
      return nil
    }
  }

  private func park(_ index: Int, of batch: inout IngestBatch, reason: String) async throws {
    let delivery = batch.deliveries[index]
    logger.warning(
      "message is parked in the dead-letter queue",
      metadata: ["reason": "\(reason)", "message": "\(delivery.message.messageID ?? "without id")"]
    )
    try await outbox.park(delivery, reason: reason)
    done([index], of: &batch)
  }

  private func done(_ indices: [Int], of batch: inout IngestBatch) {
    consumer.acknowledge(indices.map { batch.deliveries[$0] })
    batch.finish(indices)
  }
}
