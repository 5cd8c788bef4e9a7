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
  let judge: EventJudge
  let groups: any GroupSource
  let keys: any KeyClaiming
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
    var reported: [(index: Int, event: ReportedEvent)] = []
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
      case .reported(let event):
        reported.append((index, event))
      case .notice(let notice, let type):
        if let reason = misplacement(of: notice.requestId, now: now) {
          try await park(index, of: &batch, reason: reason)
        } else if let job = try await job(notice, type) {
          jobs.append((index, job))
        } else {
          done([index], of: &batch)
        }
      case .part(let part):
        if let reason = misplacement(of: part.requestId, now: now) {
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
    try await judge(reported, of: &batch, now: now)
    try await stamp(anonymous, as: .request, of: &batch)
    let entries = try await keys.claim(keyed.map(\.claim))
    for (item, entry) in zip(keyed, entries) {
      if !entry.isSameBody {
        try await park(
          item.index,
          of: &batch,
          reason: "message-id '\(item.claim.key)' was used before with another body"
        )
      } else if let reason = misplacement(of: entry.requestID, now: now) {
        try await park(item.index, of: &batch, reason: reason)
      } else if let job = try await job(entry.requestID, item.request, item.type) {
        jobs.append((item.index, job))
      } else {
        done([item.index], of: &batch)
      }
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
  func misplacement(of id: RequestID, now: Date) -> String? {
    guard let time = id.time else { return "invalid: the request's id has no time" }
    let isPlaced = time > now - retention / .seconds(1) && time < now + IngestDecoder.newest
    return isPlaced ? nil : "invalid: the request is of \(time.rfc3339), which is not kept"
  }

  /// Puts messages back with an id. Each one's own result counts: what the broker has confirmed is done, whatever became of
  /// its neighbours, for a second stamp would make it another request.
  func stamp(
    _ messages: [(index: Int, message: BrokerMessage, id: RequestID)],
    as kind: IngestKind,
    of batch: inout IngestBatch
  ) async throws {
    let failures = await outbox.stamp(messages.map { ($0.message, $0.id) }, as: kind)
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
  private func job(_ id: RequestID, _ request: SendRequest, _ type: NotificationType) async throws -> RoutingJob? {
    let createdAt = id.time ?? Date.now
    let content = NotificationContent(
      type: type,
      text: type.template.render(title: request.title, body: request.body, data: request.data),
      data: type.carried(of: request.data),
      relatedEntityType: request.relatedEntityType,
      relatedEntityId: request.relatedEntityID,
      collapseKey: request.collapseKey,
      createdAt: createdAt,
      expiresAt: request.expiresAt ?? createdAt + TimeInterval(type.timeToLive)
    )
    return try await job(id, type, content, channels: request.channels, for: request.audience)
  }

  /// A content as a job for an audience; nil if it was cut into parts, or is for nobody.
  func job(
    _ id: RequestID,
    _ type: NotificationType,
    _ content: NotificationContent,
    channels: Set<Channel>?,
    for audience: Audience
  ) async throws -> RoutingJob? {
    func part(_ recipients: [UserID]) -> RoutedPart {
      RoutedPart(requestId: id, content: content, channels: channels, recipients: recipients)
    }
    func job(_ recipients: [UserID]) -> RoutingJob? {
      guard !recipients.isEmpty else {
        logger.info("request is for nobody", metadata: ["request": "\(id)"])
        return nil
      }
      return RoutingJob(type: type, part: part(recipients))
    }
    switch audience {
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

  func done(_ indices: [Int], of batch: inout IngestBatch) {
    consumer.acknowledge(indices.map { batch.deliveries[$0] })
    batch.finish(indices)
  }
}
