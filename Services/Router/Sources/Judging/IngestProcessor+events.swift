import Broker
import Cryptography
import Foundation
import Logging
import NotificationModel
import NotificationQueue
import NotificationStore
import Retrying
import Rules

/// What is done about events that rules look at, and about what rules want told.
extension IngestProcessor {
  /// Judges events, then relays those that are relayed: what is tried again tells open connections no more often than it must.
  func judge(_ reported: [(index: Int, event: ReportedEvent)], of batch: inout IngestBatch, now: Date) async throws {
    guard !reported.isEmpty else { return }
    var judged: [(index: Int, event: RuleEvent, relay: RelayedEvent?)] = []
    var refused: [(index: Int, reason: String)] = []
    for (index, id, event) in try await identify(reported, of: &batch, now: now) {
      do throws(RuleRefusal) {
        judged.append((index, try event.event(id), event.relay))
      } catch {
        refused.append((index, "invalid: \(error)"))
      }
    }
    let limit = batch.limit
    let refusals = try await judge.judge(judged.map(\.event), now: now) { notices in
      try await tell(notices, now: now, limit: limit)
    }
    var relayed: [(index: Int, event: RelayedEvent)] = []
    for (item, refusal) in zip(judged, refusals) {
      if let refusal {
        refused.append((item.index, "invalid: \(refusal)"))
      } else if let relay = item.relay {
        relayed.append((item.index, relay))
      } else {
        done([item.index], of: &batch)
      }
    }
    try await events.route(relayed.map(\.event)) { confirmed in
      done(confirmed.map { relayed[$0].index }, of: &batch)
    }
    try await refuse(refused, of: &batch, now: now)
  }

  /// What a gateway accepted by other rules than this router's waits for a router that has them; all else is its sender's
  /// mistake.
  private func refuse(
    _ refused: [(index: Int, reason: String)],
    of batch: inout IngestBatch,
    now: Date
  ) async throws {
    let isAccepted = refused.map { IngestDecoder.isOurs(batch.deliveries[$0.index].message) }
    for (item, isAccepted) in zip(refused, isAccepted) where !isAccepted {
      try await park(item.index, of: &batch, reason: item.reason)
    }
    try await setAside(zip(refused, isAccepted).filter(\.1).map(\.0), of: &batch, now: now)
  }

  /// The events with their ids. Those whose sender used a message-id for something else are parked, those that came without any
  /// are put back with one.
  private func identify(
    _ reported: [(index: Int, event: ReportedEvent)],
    of batch: inout IngestBatch,
    now: Date
  ) async throws -> [(index: Int, id: RequestID, event: ReportedEvent)] {
    var identified: [(index: Int, id: RequestID, event: ReportedEvent)] = []
    var keyed: [(index: Int, claim: IdempotencyStore.Claim, event: ReportedEvent)] = []
    var anonymous: [(index: Int, message: BrokerMessage, id: RequestID)] = []
    for (index, event) in reported {
      let message = batch.deliveries[index].message
      switch event.identity {
      case .known(let id): identified.append((index, id, event))
      case .keyed(let scope, let key):
        let claim = IdempotencyStore.Claim(
          scope: scope,
          key: key,
          requestID: RequestID(now: now),
          bodyHash: SHA256.hash(message.body)
        )
        keyed.append((index, claim, event))
      case .anonymous: anonymous.append((index, message, batch.stamp(of: index, now: now)))
      }
    }
    try await stamp(anonymous, as: .event, of: &batch)
    for (item, entry) in zip(keyed, try await keys.claim(keyed.map(\.claim))) {
      if entry.isSameBody {
        identified.append((item.index, entry.requestID, item.event))
      } else {
        let reason = "message-id '\(item.claim.key)' was used before with another body"
        try await park(item.index, of: &batch, reason: reason)
      }
    }
    // What came first is judged first.
    return identified.sorted { $0.index < $1.index }
  }

  /// Routes rules' notices that are for named people, as sends are: through the queue they would come to the same.
  ///
  /// - Returns: Those for groups, what this router cannot route, and what it could not now: the queue keeps them for those
  ///   who can, and has its way with what nobody can.
  private func tell(_ notices: [NoticeRequest], now: Date, limit: Int) async throws -> [NoticeRequest] {
    var jobs: [(index: Int, job: RoutingJob)] = []
    for (index, notice) in notices.enumerated() {
      guard case .users(let users) = notice.audience, misplacement(of: notice.requestId.time, now: now) == nil,
        case .notice(_, let type) = decoder.notice(notice)
      else { continue }
      var part = part(notice, type)
      part.recipients = users
      jobs.append((index, RoutingJob(type: type, part: part)))
    }
    var left = Set(notices.indices)
    do {
      for slice in RoutingSlice.slices(of: jobs, limit: limit) {
        try await router.route(slice.jobs, now: now)
        left.subtract(slice.finished)
      }
    } catch  where !error.isCancellation {
      logger.warning("notices take the way through the queue", metadata: ["error": "\(error)"])
    }
    return left.sorted().map { notices[$0] }
  }

  /// A rule's notice as a job; nil if it was cut into parts.
  func job(_ notice: NoticeRequest, _ type: NotificationType, from message: BrokerMessage) async throws -> RoutingJob? {
    try await job(part(notice, type), type, for: notice.audience, from: message)
  }

  /// What a notice tells, without its recipients.
  private func part(_ notice: NoticeRequest, _ type: NotificationType) -> RoutedPart {
    // As with sends: an id from the future escapes no erasure.
    let createdAt = notice.requestId.time.map { min($0, clock()) } ?? clock()
    let wording = Wording(data: notice.data)
    let plain = notice.data.mapValues(\.unformatted)
    let content = NotificationContent(
      type: type,
      text: NotificationTemplate.Text(title: "", body: ""),
      data: type.carried(of: plain),
      relatedEntityType: notice.relatedEntityType,
      relatedEntityId: notice.relatedEntityId,
      collapseKey: nil,
      createdAt: createdAt,
      expiresAt: createdAt + TimeInterval(type.timeToLive)
    )
    return RoutedPart(
      requestId: notice.requestId,
      // The decoder has seen that there is all that the templates need.
      content: content.worded(wording, as: type, for: Wording.Reader(locale: nil)) ?? content,
      wording: wording.dependsOnReader(type) ? wording : nil,
      channels: nil,
      recipients: [],
      digestKey: type.digest?.key?.key(plain),
      throttleKey: type.throttle?.key?.key(plain)
    )
  }
}
