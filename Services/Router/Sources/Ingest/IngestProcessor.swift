import Broker
import Cryptography
import Foundation
import Logging
import NotificationModel
import NotificationQueue
import NotificationStore
import Retrying
import ServiceRuntime
import WallClock

/// Does what the messages of a batch ask for. Each message is acknowledged once all it asks for is stored and confirmed, so
/// an attempt that fails halfway leaves only the others for the next one.
struct IngestProcessor {
  let consumer: any MessageConsumer
  let decoder: IngestDecoder
  let router: BatchRouter
  let events: EventRouter
  let judge: EventJudge
  let expansion: AudienceExpansion
  let keys: any KeyClaiming
  let waiting: any SendKeeping
  let withdrawals: any WithdrawalSource
  let requests: any RequestKeeping
  let outbox: Outbox
  /// Age at which upkeep may have dropped the partition of a request's week.
  let retention: Duration
  let logger: Logger
  var metrics: RouterMetrics?
  var patience = Patience()
  /// Nil where the time is a test's.
  var clocks: ClockWatch?
  /// What time it is.
  var clock: @Sendable () -> Date = { Date.now }

  /// Returns once each message is routed or parked.
  func process(_ batch: inout IngestBatch) async throws {
    // What was accepted just now would seem to be of another age. Those who claim what is due ask each second.
    try clocks?.ensure()
    let now = clock()
    var jobs: [(index: Int, job: RoutingJob)] = []
    var keyed: [(index: Int, claim: IdempotencyStore.Claim, request: SendRequest, type: NotificationType)] = []
    var relayed: [(index: Int, event: RelayedEvent)] = []
    var later: [(index: Int, send: ScheduleStore.WaitingSend)] = []
    var reported: [(index: Int, event: ReportedEvent)] = []
    var anonymous: [(index: Int, message: BrokerMessage, id: RequestID)] = []
    var unknown: [(index: Int, reason: String)] = []
    var parts: [(index: Int, job: RoutingJob)] = []
    for index in batch.pending {
      let message = batch.deliveries[index].message
      switch decoder.decode(message, routingKey: batch.deliveries[index].routingKey, now: now) {
      case .request(let id, let request, let type):
        if message.bookmark != nil, let reason = misplacement(of: id.time, now: now) {
          try await park(index, of: &batch, reason: reason)
        } else if let send = Self.waitingSend(id, request, message) {
          later.append((index, send))
        } else if let job = try await job(id, request, type, from: message) {
          jobs.append((index, job))
        } else {
          done([index], of: &batch)
        }
      case .scheduled(let send, let request, let type):
        if let reason = misplacement(of: send.at, now: now) {
          try await park(index, of: &batch, reason: reason)
        } else if let job = try await job(send.requestId, request, type, from: message, dueWith: send) {
          jobs.append((index, job))
        } else {
          done([index], of: &batch)
        }
      case .keyed(let scope, let key, let request, let type):
        let claim = IdempotencyStore.Claim(
          scope: scope,
          key: key,
          requestID: RequestID(now: now),
          bodyHash: SHA256.hash(message.body)
        )
        keyed.append((index, claim, request, type))
      case .anonymous:
        anonymous.append((index, message, batch.stamp(of: index, now: now)))
      case .event(let event):
        relayed.append((index, event))
      case .reported(let event):
        reported.append((index, event))
      case .notice(let notice, let type):
        if let reason = misplacement(of: notice.requestId.time, now: now) {
          try await park(index, of: &batch, reason: reason)
        } else if let job = try await job(notice, type, from: message) {
          jobs.append((index, job))
        } else {
          done([index], of: &batch)
        }
      case .part(let part, let type):
        if let reason = misplacement(of: part.at ?? part.requestId.time, now: now) {
          try await park(index, of: &batch, reason: reason)
        } else {
          parts.append((index, RoutingJob(type: type, part: part)))
        }
      case .unknown(let reason):
        unknown.append((index, reason))
      case .invalid(let reason):
        try await park(index, of: &batch, reason: reason)
      }
    }
    try await events.route(relayed.map(\.event)) { confirmed in
      done(confirmed.map { relayed[$0].index }, of: &batch)
    }
    try await judge(reported, of: &batch, now: now)
    try await setAside(unknown, of: &batch, now: now)
    try await stamp(anonymous, as: .request, of: &batch)
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
      } else if let job = try await job(
        entry.requestID,
        item.request,
        item.type,
        from: batch.deliveries[item.index].message
      ) {
        jobs.append((item.index, job))
      } else {
        done([item.index], of: &batch)
      }
    }
    try await noteNobody(&jobs, of: &batch, now: now)
    jobs += try await leaveOutWithdrawn(parts, of: &batch)
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
  func misplacement(of time: Date?, now: Date) -> String? {
    guard let time else { return "invalid: the request's id has no time" }
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
    try await settle(messages.map(\.index), failures, of: &batch)
  }

  /// Puts aside what another router may know what to do with, and parks what nobody has known for too long.
  func setAside(
    _ unknown: [(index: Int, reason: String)],
    of batch: inout IngestBatch,
    now: Date
  ) async throws {
    let lasts = unknown.map { patience.lasts(for: batch.deliveries[$0.index].message, now: now) }
    for (item, lasts) in zip(unknown, lasts) where !lasts {
      try await park(item.index, of: &batch, reason: item.reason)
    }
    try await postpone(zip(unknown, lasts).filter(\.1).map(\.0), of: &batch)
  }

  /// Puts messages aside that this router's catalogue does not know, for those who may know them by then.
  private func postpone(_ unknown: [(index: Int, reason: String)], of batch: inout IngestBatch) async throws {
    guard let first = unknown.first else { return }
    let indices = unknown.map(\.index)
    logger.notice(
      "messages wait for a catalogue that knows them",
      metadata: [
        "messages": "\(indices.count)", "seconds": "\(patience.pause / .seconds(1))", "reason": "\(first.reason)",
      ]
    )
    let failures = await outbox.postpone(indices.map { batch.deliveries[$0] }, for: patience.pause)
    metrics?.postponed(failures.count { $0 == nil })
    try await settle(indices, failures, of: &batch)
  }

  /// Messages that were put back are done, one by one; what cannot be published again is parked.
  private func settle(_ indices: [Int], _ failures: [BrokerError?], of batch: inout IngestBatch) async throws {
    done(indices.indices.filter { failures[$0] == nil }.map { indices[$0] }, of: &batch)
    for (index, failure) in zip(indices, failures) {
      guard let failure, [.invalidMessage, .messageTooLarge].contains(failure.code) else { continue }
      try await park(index, of: &batch, reason: "invalid: \(failure)")
    }
    if let failure = failures.lazy.compactMap({ $0 }).first(where: { $0.willPass || $0.isCancellation }) {
      throw failure
    }
  }

  /// The request as a job, which may be for nobody; nil if it was cut into parts, or withdrawn.
  ///
  /// - Parameter send: What has come due, of a request that had to wait.
  private func job(
    _ id: RequestID,
    _ request: SendRequest,
    _ type: NotificationType,
    from message: BrokerMessage,
    dueWith send: ScheduledSend? = nil
  ) async throws -> RoutingJob? {
    // An id from the future is another clock's: what it names has been accepted by now, and an erasure from now on is later.
    let createdAt = send?.at ?? id.time.map { min($0, clock()) } ?? clock()
    let (title, body) = (request.title, request.body)
    var data = request.data
    var wording: Wording?
    var text: NotificationTemplate.Text?
    if let facts = send?.facts, !facts.isEmpty {
      let told = request.telling(facts, in: decoder.catalogue)
      text = type.template.text(of: told)
      data.merge(facts) { $1 }
      wording = told.dependsOnReader(type) ? told : nil
    } else if type.dependsOnReader(title: title, body: body) {
      wording = Wording(title: title, body: body, data: data)
    }
    let content = NotificationContent(
      type: type,
      // The decoder has seen that there is all that the templates need.
      text: text ?? type.template.render(title: title, body: body, data: data),
      data: type.carried(of: data),
      relatedEntityType: request.relatedEntityType,
      relatedEntityId: request.relatedEntityID,
      collapseKey: request.collapseKey,
      createdAt: createdAt,
      expiresAt: request.expiresAt ?? createdAt + TimeInterval(type.timeToLive)
    )
    let part = RoutedPart(
      requestId: id,
      content: content,
      wording: wording,
      channels: request.channels,
      recipients: [],
      digestKey: type.digest?.key?.key(data),
      throttleKey: type.throttle?.key?.key(data),
      at: send?.at,
      isSilent: request.isSilent,
      date: send?.date,
      owner: send.map(\.owner) ?? message.owner
    )
    return try await job(part, type, for: request.audience, in: send?.zones, from: message)
  }

  /// A part as a job for an audience, which may be nobody; nil if it was cut, or withdrawn.
  ///
  /// - Parameters:
  ///   - whole: Without its recipients.
  ///   - zones: Only those who live in them, if said.
  ///   - message: It comes again where the audience is large.
  func job(
    _ whole: RoutedPart,
    _ type: NotificationType,
    for audience: Audience,
    in zones: [String]? = nil,
    from message: BrokerMessage
  ) async throws -> RoutingJob? {
    func part(_ recipients: [UserID]) -> RoutedPart {
      var part = whole
      part.recipients = recipients
      return part
    }
    // What comes again is no single send's hot path. Chunks that were cut are asked for where they are routed.
    if message.bookmark != nil, try await !withdrawals.cancelled(among: [whole.request]).isEmpty { return nil }
    switch try await expansion.step(of: audience, in: zones, after: message.bookmark) {
    case .last(let users):
      if users.isEmpty, message.bookmark == nil {
        logger.info("request is for nobody", metadata: ["request": "\(whole.requestId)"])
      }
      return RoutingJob(type: type, part: part(users))
    case .cut(let chunks, let next):
      try await outbox.putBack(chunks.map(part))
      if let next { try await outbox.putBack(message, as: whole.requestId, after: next) }
    }
    return nil
  }

  /// Takes out what is for nobody, of which nothing but that is stored: of all in one statement. The last part of a large audience,
  /// too: whether there was anybody before, nobody remembers, and what is stored counts first.
  private func noteNobody(
    _ jobs: inout [(index: Int, job: RoutingJob)],
    of batch: inout IngestBatch,
    now: Date
  ) async throws {
    let empty = jobs.filter(\.job.part.recipients.isEmpty)
    guard !empty.isEmpty else { return }
    try await requests.noteNobody(of: empty.map(\.job.part.request), now: now)
    done(empty.map(\.index), of: &batch)
    jobs.removeAll(where: \.job.part.recipients.isEmpty)
  }

  /// The chunks of large audiences that are still wanted. Only those wait long enough for a withdrawal to come between; of a
  /// request that was withdrawn, the others are done.
  private func leaveOutWithdrawn(
    _ parts: [(index: Int, job: RoutingJob)],
    of batch: inout IngestBatch
  ) async throws -> [(index: Int, job: RoutingJob)] {
    guard !parts.isEmpty else { return [] }
    let withdrawn = try await withdrawals.cancelled(among: Set(parts.map(\.job.part.request)))
    guard !withdrawn.isEmpty else { return parts }
    done(parts.filter { withdrawn.contains($0.job.part.request) }.map(\.index), of: &batch)
    return parts.filter { !withdrawn.contains($0.job.part.request) }
  }

  func done(_ indices: [Int], of batch: inout IngestBatch) {
    consumer.acknowledge(indices.map { batch.deliveries[$0] })
    batch.finish(indices)
  }
}

extension RoutedPart {
  /// Its request as those know it who were asked to withdraw it.
  fileprivate var request: NamedRequest { NamedRequest(requestId, of: owner) }
}
