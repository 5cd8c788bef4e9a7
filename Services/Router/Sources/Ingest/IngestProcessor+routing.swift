import Broker
import Foundation
import Logging
import NotificationModel
import NotificationQueue
import NotificationStore

/// What is routed, now or later.
extension IngestProcessor {
  /// Stores what is scheduled, and routes the rest in slices of the batch's limit.
  func route(_ plan: IngestPlan, of batch: inout IngestBatch, now: Date) async throws {
    try await pushToTopics(plan.sends.filter { $0.value.topic != nil }, of: &batch, now: now)
    var jobs = try await expand(plan.sends.filter { $0.value.topic == nil }, of: &batch)
    try await noteNobody(&jobs, of: &batch, now: now)
    jobs += try await leaveOutWithdrawn(plan.orders, of: &batch)
    if !plan.scheduled.isEmpty {
      try await sends.store(plan.scheduled.map(\.value), now: now)
      done(plan.scheduled.map(\.index), of: &batch)
    }
    for slice in RoutingSlice.slices(of: jobs, limit: batch.limit) {
      try await router.route(slice.jobs, now: now)
      done(slice.finished, of: &batch)
    }
  }

  /// Hands what goes to topics to the dispatchers, unless it was withdrawn meanwhile.
  private func pushToTopics(
    _ topics: [BatchEntry<AudienceJob>],
    of batch: inout IngestBatch,
    now: Date
  ) async throws {
    guard !topics.isEmpty else { return }
    let withdrawn = try await sends.withdrawn(among: Set(topics.map(\.value.order.request)))
    let wanted = topics.lazy.map(\.value).filter { !withdrawn.contains($0.order.request) }
    if !wanted.isEmpty { try await self.topics.route(Array(wanted), now: now) }
    done(topics.map(\.index), of: &batch)
  }

  /// Finds out who the audiences are. What is cut into parts, or was withdrawn, is done.
  private func expand(
    _ sends: [BatchEntry<AudienceJob>],
    of batch: inout IngestBatch
  ) async throws -> [BatchEntry<RoutingJob>] {
    var jobs: [BatchEntry<RoutingJob>] = []
    jobs.reserveCapacity(sends.count)
    for send in sends {
      if let job = try await expand(send.value, from: batch.deliveries[send.index].message) {
        jobs.append(BatchEntry(index: send.index, value: job))
      } else {
        done([send.index], of: &batch)
      }
    }
    return jobs
  }

  /// The job for its audience, which may be nobody; nil if it was cut into parts, or withdrawn.
  ///
  /// - Parameter message: It comes again where the audience is large.
  private func expand(_ send: AudienceJob, from message: BrokerMessage) async throws -> RoutingJob? {
    // What comes again is no single send's hot path. Chunks that were cut are asked for where they are routed.
    if message.bookmark != nil, try await !sends.withdrawn(among: [send.order.request]).isEmpty { return nil }
    switch try await expansion.step(of: send.audience, in: send.zones, after: message.bookmark) {
    case .last(let users):
      if users.isEmpty, message.bookmark == nil {
        logger.info("request is for nobody", metadata: ["request": "\(send.order.requestId)"])
      }
      return send.job(for: users)
    case .cut(let chunks, let next):
      try await publisher.putBack(chunks.map { send.job(for: $0).order }, catalogueVersion: send.catalogueVersion)
      if let next {
        var message = message
        // From here on it is ours, by that which has its type; what a sender put there itself says nothing.
        if send.catalogueVersion != nil || !IngestDecoder.isOurs(message) {
          message.catalogueVersion = send.catalogueVersion
        }
        try await publisher.putBack(message, as: send.order.requestId, after: next)
      }
      return nil
    }
  }

  /// Takes out what is for nobody, of which nothing but that is stored: of all in one statement. The last part of a large audience,
  /// too: whether there was anybody before, nobody remembers, and what is stored counts first.
  private func noteNobody(
    _ jobs: inout [BatchEntry<RoutingJob>],
    of batch: inout IngestBatch,
    now: Date
  ) async throws {
    let empty = jobs.filter(\.value.order.recipients.isEmpty)
    guard !empty.isEmpty else { return }
    try await requests.noteNobody(of: empty.map(\.value.order.request), now: now)
    done(empty.map(\.index), of: &batch)
    jobs.removeAll(where: \.value.order.recipients.isEmpty)
  }

  /// The chunks of large audiences that are still wanted. Only those wait long enough for a withdrawal to come between; of a
  /// request that was withdrawn, the others are done.
  private func leaveOutWithdrawn(
    _ orders: [BatchEntry<RoutingJob>],
    of batch: inout IngestBatch
  ) async throws -> [BatchEntry<RoutingJob>] {
    guard !orders.isEmpty else { return [] }
    let withdrawn = try await sends.withdrawn(among: Set(orders.map(\.value.order.request)))
    guard !withdrawn.isEmpty else { return orders }
    done(orders.filter { withdrawn.contains($0.value.order.request) }.map(\.index), of: &batch)
    return orders.filter { !withdrawn.contains($0.value.order.request) }
  }
}

extension RoutingOrder {
  /// Its request as those know it who were asked to withdraw it.
  var request: NamedRequest { NamedRequest(requestId, of: owner) }
}
