import Broker
import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore
import ServiceLifecycle

/// What is done with a message before it is settled: its targets are begun one after another.
extension DispatchWorker {
  /// Tries all targets that have no final outcome yet: when it is the message's turn, which passes on when the last has begun.
  /// Those that the provider does not serve are dead-lettered; a message of nothing else waits for no turn.
  ///
  /// - Throws: Why what is finished cannot be looked up, once all that was begun has ended and is recorded.
  func tryAll(_ work: InFlightMessage) async throws {
    let isServed = work.message.deliveries.contains { $0.targets.contains(where: channel.serves) }
    let headPermit = isServed ? limit.headPermit : nil
    var failure: (any Error)?
    await headPermit?.acquire()
    await withDiscardingTaskGroup { group in
      do {
        try await beginTargets(of: work, group: &group)
      } catch {
        failure = error
      }
      headPermit?.release()
    }
    guard let failure else { return }
    _ = try await repeating(work.message) { try await work.recordOutcomes(outcomes.write) }
    throw failure
  }

  /// Begins one target after another, as permits become free. Those that the provider does not serve need none, for none of them
  /// is begun.
  private func beginTargets(of work: InFlightMessage, group: inout DiscardingTaskGroup) async throws {
    var finished = FinishedLookup(of: work, lifetime: timing.lookupLifetime)
    var targets = work.message.targetedDeliveries.makeIterator()
    while let targeted = targets.next() {
      let permits = channel.serves(targeted.target) ? limit.permits : nil
      switch try await decideWithPermit(on: targeted, of: work, permits, &finished) {
      case .begin:
        // At once, up to where it waits for the provider: for that no other thread need be woken.
        group.addImmediateTask { [channel, telemetry] in
          let result = await telemetry.observe { await channel.deliver(targeted) }
          work.add(result, targeted)
          permits?.release()
        }
      case .skip:
        continue
      case .expired:
        work.expire(targeted)
      case .noProvider:
        work.add(.noProvider, targeted)
      case .late:
        work.add(.notBegunInTime, targeted)
        while let rest = targets.next() {
          work.add(channel.serves(rest.target) ? .notBegunInTime : .noProvider, rest)
        }
      case .abandoned:
        return work.abandon()
      }
    }
  }

  /// Decides on a target with a permit, which stays with what is to begin until that has ended. Else it goes back at once.
  private func decideWithPermit(
    on targeted: TargetedDelivery,
    of work: InFlightMessage,
    _ permits: Permits?,
    _ finished: inout FinishedLookup
  ) async throws -> TargetDecision {
    await permits?.acquire()
    do {
      let decision = try await decide(on: targeted, of: work, &finished)
      if decision != .begin { permits?.release() }
      return decision
    } catch {
      permits?.release()
      throw error
    }
  }

  private func decide(
    on targeted: TargetedDelivery,
    of work: InFlightMessage,
    _ finished: inout FinishedLookup
  ) async throws -> TargetDecision {
    let (message, delivery, content) = (work.message, targeted.delivery, targeted.content)
    guard isOurs(work) else { return .abandoned }
    let end = work.receivedAt + timing.beginsWithin(longest: channel.longestDelivery)
    if ContinuousClock.now >= end { return .late }
    if finished.isStale {
      let rest = message.deliveries.drop { $0.notificationId != delivery.notificationId }
        .map { ($0.userId, $0.notificationId) }
      let known = try await repeating(message) { try await store.finished(rest, channel: channel.channel) }
      guard let known, isOurs(work) else { return .abandoned }
      finished.learn(known)
    }
    if finished.contains(targeted) { return .skip }
    var isErased = erasures.known(delivery.userId, at: content.createdAt)
    if isErased == nil {
      isErased = try await repeating(message) { try await erasures.isErased(delivery.userId, at: content.createdAt) }
      guard isErased != nil, isOurs(work) else { return .abandoned }
    }
    if isErased == true { return .skip }
    if content.expiresAt <= Date.now { return .expired }
    return channel.serves(targeted.target) ? .begin : .noProvider
  }

  /// Whether more of the message may be begun: neither does the service stop, nor has the broker handed it to somebody else.
  private func isOurs(_ work: InFlightMessage) -> Bool {
    !Task.isShuttingDownGracefully && !Task.isCancelled && consumer.isCurrent(work.received)
  }
}
