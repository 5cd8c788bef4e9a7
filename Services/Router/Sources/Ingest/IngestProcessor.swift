import Broker
import CatalogueVersions
import Foundation
import Logging
import NotificationModel
import NotificationQueue
import NotificationStore
import ServiceRuntime

/// Does what the messages of a batch ask for. Each message is acknowledged once all it asks for is stored and confirmed, so
/// an attempt that fails halfway leaves only the others for the next one.
struct IngestProcessor {
  let consumer: any MessageConsumer
  let catalogues: CatalogueInForce
  let router: BatchRouter
  let topics: TopicRouter
  let events: EventRelay
  /// By whatever catalogue: ``EventEvaluator/by(_:version:)``.
  let evaluator: EventEvaluator
  let expansion: AudienceExpansion
  let identifiers: any IdentifierStoring
  let keys: any KeyStoring
  let sends: any SendStoring
  let requests: any RequestStoring
  let publisher: RouterPublisher
  /// Age at which maintenance may have dropped the partition of a request's week.
  let retention: Duration
  let logger: Logger
  var metrics: RouterMetrics?
  var versionSkewRetry = VersionSkewRetry()
  let clock: any WorkClock

  /// Returns once each message is routed, put back or dead-lettered.
  func process(_ batch: inout IngestBatch) async throws {
    // What was accepted just now would seem to be of another age. Those who claim what is due ask each second.
    let now = try clock.lastCheckedNow()
    let failure = await catchUp(with: batch)
    let current = current(for: &batch)
    let ahead = ahead(of: current, in: batch, isAsked: failure == nil)
    let waiting = Set(ahead.map(\.index))
    var left: [BatchEntry<String>] = []
    let pending = batch.pending.filter { !waiting.contains($0) }
    try await process(pending, of: &batch, by: resolver(current, now: now), leaving: &left)
    // What asks for a version that cannot be asked for waits until it can: all else is done.
    if let failure, !ahead.isEmpty { throw failure }
    try await hold(ahead, of: &batch, now: now)
    try await goOn(with: left, of: &batch, after: current, now: now)
  }

  func resolver(_ version: AppliedCatalogue, now: Date) -> IngestResolver {
    IngestResolver(
      catalogue: version.catalogue,
      retention: retention,
      now: now,
      catalogueVersion: version.reference
    )
  }

  /// Works on some messages by one version of the catalogue.
  ///
  /// - Parameter left: Takes those that this one has nothing for, with why.
  func process(
    _ indices: [Int],
    of batch: inout IngestBatch,
    by resolver: IngestResolver,
    leaving left: inout [BatchEntry<String>]
  ) async throws {
    let decoder = IngestDecoder(catalogue: resolver.catalogue)
    // What needs no database does not wait for one.
    var (atOnce, stored) = (IngestPlan(), IngestPlan())
    var keyed: [BatchEntry<KeyedSubmission>] = []
    var contested: [BatchEntry<ContestedItem>] = []
    for index in indices {
      let delivery = batch.deliveries[index]
      let item = decoder.decode(delivery.message, routingKey: delivery.routingKey, now: resolver.now)
      let users = decoder.contestedUsers(of: item)
      guard users.isEmpty || identifiers.know(users) else {
        contested.append(BatchEntry(index: index, value: ContestedItem(item: item, users: users)))
        continue
      }
      switch resolver.resolve(item, from: delivery.message) {
      case .outcome(let outcome) where outcome.needsStore: stored.add(outcome, at: index)
      case .outcome(let outcome): atOnce.add(outcome, at: index)
      case .keyed(let submission): keyed.append(BatchEntry(index: index, value: submission))
      }
    }
    try await settle(atOnce, of: &batch, by: resolver, leaving: &left)
    try await admit(contested, of: batch, by: resolver, into: &stored)
    for entry in try await identify(keyed, of: batch, by: resolver) { stored.add(entry.value, at: entry.index) }
    try await settle(stored, of: &batch, by: resolver, leaving: &left)
  }

  /// Looks up senders' keys together.
  ///
  /// - Returns: What is done about their messages.
  func identify(
    _ keyed: [BatchEntry<KeyedSubmission>],
    of batch: IngestBatch,
    by resolver: IngestResolver
  ) async throws -> [BatchEntry<IngestOutcome>] {
    guard !keyed.isEmpty else { return [] }
    let claims = keyed.map { $0.value.claim(for: batch.deliveries[$0.index].message, now: resolver.now) }
    return zip(keyed, try await keys.claim(claims)).map { entry, known in
      let message = batch.deliveries[entry.index].message
      return BatchEntry(index: entry.index, value: resolver.outcome(of: entry.value, as: known, from: message))
    }
  }

  /// Does what is planned. What open connections hear comes first: it is not stored, so that trying again would send it twice.
  private func settle(
    _ plan: IngestPlan,
    of batch: inout IngestBatch,
    by resolver: IngestResolver,
    leaving left: inout [BatchEntry<String>]
  ) async throws {
    done(plan.finished, of: &batch)
    try await relay(plan.relays, of: &batch)
    for letter in plan.deadLetters { try await deadLetter(letter.index, of: &batch, reason: letter.value) }
    if !plan.events.isEmpty {
      let evaluated = try await evaluate(plan.events, of: batch, by: resolver)
      // Evaluated, none of them is to be evaluated again: this ends here.
      try await settle(evaluated, of: &batch, by: resolver, leaving: &left)
    }
    if catalogues.followsVersions {
      left += plan.postponed + plan.refused
    } else {
      try await giveUp(plan.postponed + plan.refused, of: &batch, now: resolver.now)
    }
    try await stamp(plan.unstamped, of: &batch, by: resolver)
    try await route(plan, of: &batch, now: resolver.now)
  }

  /// Passes events on to open connections.
  private func relay(_ relays: [BatchEntry<RelayedEvent>], of batch: inout IngestBatch) async throws {
    guard !relays.isEmpty else { return }
    try await events.relay(relays.map(\.value)) { confirmed in
      done(confirmed.map { relays[$0].index }, of: &batch)
    }
  }

  func deadLetter(_ index: Int, of batch: inout IngestBatch, reason: String) async throws {
    let delivery = batch.deliveries[index]
    logger.warning(
      "message is parked in the dead-letter queue",
      metadata: ["reason": "\(reason)", "message": "\(delivery.message.messageID ?? "without id")"]
    )
    try await publisher.deadLetter(delivery, reason: reason)
    metrics?.deadLettered()
    done([index], of: &batch)
  }

  func done(_ indices: [Int], of batch: inout IngestBatch) {
    consumer.acknowledge(indices.map { batch.deliveries[$0] })
    batch.finish(indices)
  }
}
