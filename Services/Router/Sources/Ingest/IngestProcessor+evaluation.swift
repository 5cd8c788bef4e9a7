import Broker
import Logging
import NotificationModel
import NotificationQueue
import Retrying

/// What is done about events that rules look at.
extension IngestProcessor {
  /// Evaluates events, and routes or publishes the notices that follow.
  ///
  /// - Returns: What is left to do about the events: they are relayed after that, since what is tried again should reach open
  ///   connections no more often than it must.
  func evaluate(
    _ events: [BatchEntry<IdentifiedEvent>],
    of batch: IngestBatch,
    by resolver: IngestResolver
  ) async throws -> IngestPlan {
    // What came first is evaluated first.
    let events = events.sorted { $0.index < $1.index }
    let evaluator = evaluator.by(resolver.catalogue, version: resolver.catalogueVersion)
    let stored = try await evaluator.evaluate(events.map(\.value.event), now: resolver.now)
    let unrouted = try await routeAtOnce(stored.notices, by: resolver, limit: batch.limit)
    try await stored.finish(unrouted: unrouted)
    var plan = IngestPlan()
    for (entry, refusal) in zip(events, stored.refusals) {
      let message = batch.deliveries[entry.index].message
      plan.add(resolver.outcome(of: entry.value, after: refusal, from: message), at: entry.index)
    }
    return plan
  }

  /// Routes rules' notices that are for named people, as sends are: through the queue they would come to the same.
  ///
  /// - Returns: Those for groups, what this router cannot route, and what it could not now: the queue keeps them for those
  ///   who can, and has its way with what nobody can.
  private func routeAtOnce(
    _ notices: [NoticeRequest],
    by resolver: IngestResolver,
    limit: Int
  ) async throws -> [NoticeRequest] {
    let decoder = IngestDecoder(catalogue: resolver.catalogue)
    var jobs: [BatchEntry<RoutingJob>] = []
    for (index, notice) in notices.enumerated() {
      guard case .users(let users) = notice.audience, case .notice(_, let type) = decoder.notice(notice),
        case .route(let job) = resolver.outcome(of: notice, type)
      else { continue }
      jobs.append(BatchEntry(index: index, value: job.job(for: users)))
    }
    var left = Set(notices.indices)
    do {
      for slice in RoutingSlice.slices(of: jobs, limit: limit) {
        try await router.route(slice.jobs, now: resolver.now)
        left.subtract(slice.finished)
      }
    } catch  where !error.isCancellation {
      logger.warning("notices take the way through the queue", metadata: ["error": "\(error)"])
    }
    return left.sorted().map { notices[$0] }
  }
}
