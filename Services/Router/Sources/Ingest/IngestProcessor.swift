import Broker
import Crypto
import Foundation
import Logging
import NotificationModel
import NotificationQueue
import NotificationStore
import Retrying
import WallClock

/// Does what the messages of a batch ask for. Each message is acknowledged once all it asks for is stored and confirmed, so
/// an attempt that fails halfway leaves only the others for the next one.
struct IngestProcessor {
  let consumer: any MessageConsumer
  let decoder: IngestDecoder
  let router: BatchRouter
  let events: EventRouter
  let groups: any GroupSource
  let keys: any KeyClaiming
  let waiting: any SendKeeping
  let residents: any ResidentSource
  let outbox: Outbox
  let chunkSize: Int
  /// Age at which upkeep may have dropped the partition of a request's week.
  let retention: Duration
  let logger: Logger
  var metrics: RouterMetrics?
  /// What time it is.
  var clock: @Sendable () -> Date = { Date.now }

  /// Returns once each message is routed or parked.
  func process(_ batch: inout IngestBatch) async throws {
    let now = clock()
    var jobs: [(index: Int, job: RoutingJob)] = []
    var keyed: [(index: Int, claim: IdempotencyStore.Claim, request: SendRequest, type: NotificationType)] = []
    var relayed: [(index: Int, event: RelayedEvent)] = []
    var later: [(index: Int, send: ScheduleStore.WaitingSend)] = []
    var anonymous: [(index: Int, message: BrokerMessage, id: RequestID)] = []
    for index in batch.pending {
      let message = batch.deliveries[index].message
      switch decoder.decode(message, routingKey: batch.deliveries[index].routingKey, now: now) {
      case .request(let id, let request, let type):
        if let send = Self.waitingSend(id, request, message) {
          later.append((index, send))
        } else if let job = try await job(id, request, type) {
          jobs.append((index, job))
        } else {
          done([index], of: &batch)
        }
      case .scheduled(let send, let request, let type):
        if let reason = misplacement(of: send.at, now: now) {
          try await park(index, of: &batch, reason: reason)
        } else if let job = try await job(send.requestId, request, type, dueWith: send) {
          jobs.append((index, job))
        } else {
          done([index], of: &batch)
        }
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
      case .part(let part):
        if let reason = misplacement(of: part.at ?? part.requestId.time, now: now) {
          try await park(index, of: &batch, reason: reason)
        } else if let type = decoder.catalogue.type(.code(part.content.type)) {
          jobs.append((index, RoutingJob(type: type, part: part)))
        } else {
          try await park(index, of: &batch, reason: "type \(part.content.type) is not in this router's catalogue")
        }
      case .invalid(let reason):
        try await park(index, of: &batch, reason: reason)
      }
    }
    try await events.route(relayed.map(\.event)) { confirmed in
      done(confirmed.map { relayed[$0].index }, of: &batch)
    }
    try await stamp(anonymous, of: &batch)
    let entries = try await keys.claim(keyed.map(\.claim))
    for (item, entry) in zip(keyed, entries) {
      if !entry.isSameBody {
        try await park(
          item.index,
          of: &batch,
          reason: "message-id '\(item.claim.key)' was used before with another body"
        )
      } else if let reason = misplacement(of: entry.requestID.time, now: now)
        ?? Self.tooFar(item.request, entry.requestID)
      {
        try await park(item.index, of: &batch, reason: reason)
      } else if let send = Self.waitingSend(entry.requestID, item.request, batch.deliveries[item.index].message) {
        later.append((item.index, send))
      } else if let job = try await job(entry.requestID, item.request, item.type) {
        jobs.append((item.index, job))
      } else {
        done([item.index], of: &batch)
      }
    }
    if !later.isEmpty {
      try await waiting.store(later.map(\.send), now: now)
      done(later.map(\.index), of: &batch)
    }
    for slice in RoutingSlice.slices(of: jobs, limit: batch.limit) {
      try await router.route(slice.jobs, now: now)
      done(slice.finished, of: &batch)
    }
  }

  func park(_ index: Int, of batch: inout IngestBatch, reason: String) async throws {
    let delivery = batch.deliveries[index]
    logger.warning(
      "message is parked in the dead-letter queue",
      metadata: ["reason": "\(reason)", "message": "\(delivery.message.messageID ?? "without id")"]
    )
    try await outbox.park(delivery, reason: reason)
    metrics?.parked()
    done([index], of: &batch)
  }

  /// Why there need be no partition for a request, so that waiting for one would be in vain; nil if there should be one.
  private func misplacement(of time: Date?, now: Date) -> String? {
    guard let time else { return "invalid: the request's id has no time" }
    let isPlaced = time > now - retention / .seconds(1) && time < now + IngestDecoder.newest
    return isPlaced ? nil : "invalid: the request is of \(time.rfc3339), which is not kept"
  }

  /// Puts messages back with an id. Each one's own result counts: what the broker has confirmed is done, whatever became of
  /// its neighbours, for a second stamp would make it another request.
  private func stamp(
    _ messages: [(index: Int, message: BrokerMessage, id: RequestID)],
    of batch: inout IngestBatch
  ) async throws {
    let failures = await outbox.stamp(messages.map { ($0.message, $0.id) })
    done(messages.indices.filter { failures[$0] == nil }.map { messages[$0].index }, of: &batch)
    for (item, failure) in zip(messages, failures) {
      guard let failure, [.invalidMessage, .messageTooLarge].contains(failure.code) else { continue }
      try await park(item.index, of: &batch, reason: "invalid: \(failure)")
    }
    if let failure = failures.lazy.compactMap({ $0 }).first(where: { $0.willPass || $0.isCancellation }) {
      throw failure
    }
  }

  /// The request as a job; nil if it was cut into parts, or is for nobody.
  ///
  /// - Parameter send: What has come due, of a request that had to wait.
  private func job(
    _ id: RequestID,
    _ request: SendRequest,
    _ type: NotificationType,
    dueWith send: ScheduledSend? = nil
  ) async throws -> RoutingJob? {
    let createdAt = send?.at ?? id.time ?? clock()
    var request = request
    var data = request.data
    if let facts = send?.facts, !facts.isEmpty {
      request = try request.telling(facts, in: decoder.catalogue)
      data.merge(facts) { $1 }
    }
    let content = NotificationContent(
      type: type,
      text: type.template.render(title: request.title, body: request.body, data: data),
      data: type.carried(of: request.data),
      relatedEntityType: request.relatedEntityType,
      relatedEntityId: request.relatedEntityID,
      collapseKey: request.collapseKey,
      createdAt: createdAt,
      expiresAt: request.expiresAt ?? createdAt + TimeInterval(type.timeToLive)
    )
    func part(_ recipients: [UserID]) -> RoutedPart {
      RoutedPart(
        requestId: id,
        content: content,
        channels: request.channels,
        recipients: recipients,
        at: send?.at,
        isSilent: request.isSilent,
        date: send?.date
      )
    }
    func job(_ recipients: [UserID]) -> RoutingJob? {
      guard !recipients.isEmpty else {
        logger.info("request is for nobody", metadata: ["request": "\(id)"])
        return nil
      }
      return RoutingJob(type: type, part: part(recipients))
    }
    if let zones = send?.zones {
      return job(try await expand(request.audience, in: zones) { try await outbox.putBack($0.map(part)) })
    }
    switch request.audience {
    case .users(let users):
      return job(users)
    case .group(let group, let except):
      var members = try await groups.members(of: group, after: nil, limit: chunkSize + 1)
      if members.count <= chunkSize { return job(members.filter { !except.contains($0) }) }
      while !members.isEmpty {
        let page = members.prefix(chunkSize)
        try await outbox.putBack([part(page.filter { !except.contains($0) })])
        members = try await groups.members(of: group, after: page.last, limit: chunkSize)
      }
      return nil
    }
  }

  private func done(_ indices: [Int], of batch: inout IngestBatch) {
    consumer.acknowledge(indices.map { batch.deliveries[$0] })
    batch.finish(indices)
  }
}
