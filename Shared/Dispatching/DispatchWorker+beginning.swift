import Broker
import Foundation
import Logging
import NotificationModel
import NotificationQueue
import NotificationStore
import ServiceLifecycle

/// What is done with a message before it is settled: its targets are begun one after another.
extension DispatchWorker {
  /// Tries all targets that have no final outcome yet: when it is the message's turn, which passes on when the last has begun.
  /// Targets of a slow scope wait for its permits after that, so that they hold no other message up. Those that the provider
  /// does not serve are dead-lettered; a message of nothing else waits for no turn.
  ///
  /// - Throws: Why what is finished cannot be looked up, once all that was begun has ended and is recorded.
  func tryAll(_ work: InFlightMessage) async throws {
    let isServed = work.message.deliveries.contains { $0.targets.contains(where: channel.serves) }
    let headPermit = isServed ? limit.headPermit : nil
    var failure: (any Error)?
    await headPermit?.acquire()
    await withDiscardingTaskGroup { group in
      var slow: [TargetedDelivery] = []
      do {
        slow = try await begin(work.message.targetedDeliveries, of: work, atHead: true, group: &group)
      } catch {
        failure = error
      }
      headPermit?.release()
      guard failure == nil, !slow.isEmpty else { return }
      do {
        _ = try await begin(slow, of: work, atHead: false, group: &group)
      } catch {
        failure = error
      }
    }
    guard let failure else { return }
    _ = try await repeating(work.message) { try await work.recordOutcomes(outcomes.write) }
    throw failure
  }

  /// Begins one target after another, as permits become free. Those that the provider does not serve need none, for none of them
  /// is begun.
  ///
  /// - Parameter atHead: Whether other messages wait for this one to have begun.
  /// - Returns: What others need not wait for, set aside.
  private func begin(
    _ targets: some Sequence<TargetedDelivery>,
    of work: InFlightMessage,
    atHead: Bool,
    group: inout DiscardingTaskGroup
  ) async throws -> [TargetedDelivery] {
    var lookups = TargetLookups(
      finished: FinishedLookup(of: work, lifetime: timing.lookupLifetime),
      objections: ObjectionLookup(of: work, standing: channel.decisionStands, lifetime: timing.lookupLifetime)
    )
    var setAside: [TargetedDelivery] = []
    var targets = targets.makeIterator()
    while let targeted = targets.next() {
      switch try await decideWithPermit(on: targeted, of: work, atHead: atHead, &lookups) {
      case .begin(let ticket):
        // At once, up to where it waits for the provider: for that no other thread need be woken.
        group.addImmediateTask { [channel, telemetry, limit, logger] in
          let call = LongCall { limit.control.leave(ticket, after: $0) }
          let result = await telemetry.observe { await channel.deliver(targeted, call) }
          work.add(result, targeted)
          let (change, scope) = limit.control.finish(ticket, result)
          Self.report(change, of: scope, to: logger)
        }
      case .setAside:
        setAside.append(targeted)
      case .postponed(let postponement):
        telemetry.count(postponement, channel.scope(of: targeted))
        work.postpone(targeted, postponement)
      case .skip:
        continue
      case .expired:
        work.expire(targeted)
      case .objected(let reason):
        work.leaveOut(targeted, reason)
      case .noProvider:
        work.add(.noProvider, targeted)
      case .late:
        work.add(.notBegunInTime, targeted)
        while let rest = targets.next() {
          work.add(channel.serves(rest.target) ? .notBegunInTime : .noProvider, rest)
        }
      case .abandoned:
        work.abandon()
        return []
      }
    }
    return setAside
  }

  private static func report(_ change: CircuitBreaker.Change, of scope: ProviderScope, to logger: Logger) {
    switch change {
    case .none: break
    case .opened:
      logger.error(
        "a provider fails: nothing is tried for a minute, then a few; nothing is lost, and no attempt is counted",
        metadata: ["scope": "\(scope)"]
      )
    case .closed: logger.notice("a provider works again", metadata: ["scope": "\(scope)"])
    case .paused(let time):
      logger.warning(
        "a provider says that our quota is used up: nothing is tried until it is free again, and no attempt is counted",
        metadata: ["scope": "\(scope)", "seconds": "\(time / .seconds(1))"]
      )
    }
  }

  /// Decides on a target with a permit, which stays with what is to begin until that has ended. Else it goes back at once.
  private func decideWithPermit(
    on targeted: TargetedDelivery,
    of work: InFlightMessage,
    atHead: Bool,
    _ lookups: inout TargetLookups
  ) async throws -> TargetDecision {
    guard channel.serves(targeted.target) else {
      return try await reason(against: targeted, of: work, &lookups) ?? .noProvider
    }
    let ticket: ProviderControl.Ticket
    switch try await admit(targeted, of: work, atHead: atHead, &lookups) {
    case .begin(let admitted): ticket = admitted
    case let other: return other
    }
    do {
      guard let other = try await reason(against: targeted, of: work, &lookups) else { return .begin(ticket) }
      limit.control.cancel(ticket)
      return other
    } catch {
      limit.control.cancel(ticket)
      throw error
    }
  }

  /// Waits for a permit and a token.
  ///
  /// - Returns: What may begin, what is set aside or postponed, and why nothing may begin if that came up while waiting.
  private func admit(
    _ targeted: TargetedDelivery,
    of work: InFlightMessage,
    atHead: Bool,
    _ lookups: inout TargetLookups
  ) async throws -> TargetDecision {
    let scope = channel.scope(of: targeted)
    let isRetry = work.message.attempt > 0
    var waited = Duration.zero
    while true {
      switch await limit.control.admit(scope, isRetry: isRetry, atHead: atHead) {
      case .admitted(let ticket): return .begin(ticket)
      case .setAside: return .setAside
      case .notYet(_, isMajor: false) where atHead: return .setAside
      case .notYet(let wait, _):
        guard atHead || waited < Self.longestTokenWait else {
          return .postponed(limit.control.postponement(.quota, ScopeControl.longestWait))
        }
        // Not for each token: meanwhile some gather. Not for long: the service may stop.
        let pause = min(max(wait, .milliseconds(5)), .milliseconds(250))
        try? await Task.sleep(for: pause)
        waited += pause
        if let other = try await reason(against: targeted, of: work, &lookups) { return other }
      case .postponed(let postponement):
        // What has its outcome, or is too late, need not come back.
        return try await reason(against: targeted, of: work, &lookups) ?? .postponed(postponement)
      }
    }
  }

  /// A target whose turn is over waits so long for a token; then it makes room for others.
  private static var longestTokenWait: Duration { .seconds(1) }

  /// Why the target is not begun; nil if it is.
  private func reason(
    against targeted: TargetedDelivery,
    of work: InFlightMessage,
    _ lookups: inout TargetLookups
  ) async throws -> TargetDecision? {
    let (message, delivery, content) = (work.message, targeted.delivery, targeted.content)
    guard isOurs(work) else { return .abandoned }
    let end = work.receivedAt + timing.beginsWithin(longest: channel.longestDelivery)
    if ContinuousClock.now >= end { return .late }
    if lookups.finished.isStale {
      let rest = message.deliveries.drop { $0.notificationId != delivery.notificationId }
      let known = try await repeating(message) { try await finishedTargets(of: rest) }
      guard let known, isOurs(work) else { return .abandoned }
      lookups.finished.learn(known)
    }
    if lookups.finished.contains(targeted) { return .skip }
    // A topic is nobody's.
    if targeted.target.audience != nil { return content.expiresAt <= Date.now ? .expired : unserved(targeted) }
    var isErased = erasures.known(delivery.userId, at: content.createdAt)
    if isErased == nil {
      isErased = try await repeating(message) { try await erasures.isErased(delivery.userId, at: content.createdAt) }
      guard isErased != nil, isOurs(work) else { return .abandoned }
    }
    if isErased == true { return .skip }
    if lookups.objections.isStale {
      let rest = Array(message.targetedDeliveries.drop { $0.delivery.notificationId != delivery.notificationId })
      let known = try await repeating(message) { try await channel.objections(to: rest) }
      guard let known, isOurs(work) else { return .abandoned }
      lookups.objections.learn(known)
    }
    // Looking up lasts as long as the database is away.
    if ContinuousClock.now >= end { return .late }
    if content.expiresAt <= Date.now { return .expired }
    if let objection = lookups.objections.reason(against: targeted) { return .objected(objection) }
    return unserved(targeted)
  }

  private func unserved(_ targeted: TargetedDelivery) -> TargetDecision? {
    channel.serves(targeted.target) ? nil : .noProvider
  }

  private func finishedTargets(
    of deliveries: ArraySlice<DispatchMessage.Delivery>
  ) async throws -> Set<DeliveryStore.Key> {
    func isToTopic(_ delivery: DispatchMessage.Delivery) -> Bool { delivery.targets.contains { $0.audience != nil } }
    let topics = deliveries.filter(isToTopic).map(\.notificationId)
    guard !topics.isEmpty else {
      return try await store.finished(deliveries.map { ($0.userId, $0.notificationId) }, channel: channel.channel)
    }
    let people = deliveries.filter { !isToTopic($0) }.map { ($0.userId, $0.notificationId) }
    let known = try await store.finished(topics: topics)
    return people.isEmpty ? known : known.union(try await store.finished(people, channel: channel.channel))
  }

  /// Whether more of the message may be begun: neither does the service stop, nor has the broker handed it to somebody else.
  private func isOurs(_ work: InFlightMessage) -> Bool {
    !Task.isShuttingDownGracefully && !Task.isCancelled && consumer.isCurrent(work.received)
  }
}
