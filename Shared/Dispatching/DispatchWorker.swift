public import Broker
import Foundation
public import Logging
import NotificationModel
public import NotificationQueue
import NotificationStore
public import ServiceFaults
public import ServiceLifecycle

/// Consumes a dispatch queue: tries every target, records outcomes, puts what failed on the retry ladder or parks it, and
/// only then acknowledges.
///
/// A target whose message may have been worked on before (redelivered, rechecked, tried again, or in hand for long) is looked
/// up just before it is begun and left out if it has a final outcome; outcomes are recorded as they come in. Users who were
/// erased since get nothing (``ErasureWatch``). What is left of
/// doubling, what a provider accepted from a dispatcher that crashed before it recorded that, is hidden by the channel's
/// stable collapse id.
public struct DispatchWorker: Service {
  let channel: any DeliveryChannel
  let consumer: any MessageConsumer
  let publisher: any MessagePublisher
  let store: any OutcomeStore
  let erasures: ErasureWatch
  let outcomes: OutcomeWriter
  let timing: DispatchTiming
  let logger: Logger
  /// What only the operator can mend, for readiness.
  public let obstacles: ServiceFaultWatch
  let ladder: RetryLadder
  /// With routers of a later version.
  let versionSkewRetry = VersionSkewRetry()
  /// One for each of the channel's providers.
  private let lanes: [ProviderLimit]
  private let inFlight = InFlightWork()
  private let telemetry: DeliveryTelemetry

  public init(
    channel: any DeliveryChannel,
    consumer: any MessageConsumer,
    publisher: any MessagePublisher,
    store: any OutcomeStore,
    erasures: ErasureWatch,
    ladder: RetryLadder,
    timing: DispatchTiming = DispatchTiming(),
    logger: Logger
  ) {
    self.channel = channel
    self.consumer = consumer
    self.publisher = publisher
    self.store = store
    self.erasures = erasures
    outcomes = OutcomeWriter(store: store)
    self.ladder = ladder
    self.timing = timing
    lanes = channel.lanes.map(ProviderLimit.init)
    precondition(!lanes.isEmpty, "a channel without a provider")
    telemetry = DeliveryTelemetry(channel: channel.channel)
    self.logger = logger
    obstacles = ServiceFaultWatch(logger: logger)
  }

  /// Works until the service stops. As many messages are in hand as the consumer's prefetch allows.
  public func run() async throws {
    try await withGracefulShutdownHandler {
      try await consumer.run { batches in
        await withDiscardingTaskGroup { group in
          group.addTask { await recordAsResultsComeIn() }
          await withDiscardingTaskGroup { messages in
            for await batch in batches {
              for delivery in batch {
                // Each takes its notifications and joins the line at once, so that a copy never comes before its original.
                messages.addImmediateTask { await delivery.withSpan { await handle(delivery) } }
              }
            }
          }
          group.cancelAll()
        }
      }
    } onGracefulShutdown: {
      consumer.stop()
    }
  }

  private func handle(_ delivery: BrokerDelivery) async {
    let work: InFlightMessage
    do {
      let message: DispatchMessage = try QueueCoder.decode(from: delivery.message)
      guard message.isConsistent else { throw QueueMessageError("a delivery points at no content") }
      guard (0...Int(Int16.max)).contains(message.attempt) else { throw QueueMessageError("attempt is out of range") }
      let attempt = Attempt(
        channel,
        ladder: ladder,
        attempt: message.attempt,
        types: message.contents.map(\.type),
        dates: message.contents.map(\.createdAt)
      )
      work = InFlightMessage(message, delivery, attempt: attempt)
    } catch let error as QueueMessageError
      where error.isNewer && versionSkewRetry.applies(to: delivery.message, now: Date.now)
    {
      return await setAside(delivery, reason: error.description)
    } catch {
      return await giveUp(delivery, delivery.message, reason: "cannot be processed: \(error)")
    }
    await claim(work)
    defer { inFlight.release(work) }
    do {
      try await tryAll(work)
      if try await settle(work) { consumer.acknowledge([delivery]) }
    } catch {
      // Some targets may have been reached: the dispatcher that gets it after a redrive looks outcomes up first.
      let message = work.message
      let parked = message.keeping(
        message.deliveries,
        attempt: message.attempt,
        failingSince: message.failingSince,
        recheck: true
      )
      await giveUp(delivery, wrap(parked, like: delivery.message), reason: "cannot be processed: \(error)")
    }
  }

  /// Returns when no other message in hand has any of this one's notifications; until it is released, none can take them.
  private func claim(_ work: InFlightMessage) async {
    while let holder = inFlight.claim(work) { await holder.waitUntilReleased() }
  }

  /// The place of the target's provider in ``lanes``; nil if none serves it.
  private func lane(of target: DispatchMessage.Target) -> Int? {
    channel.lane(of: target).flatMap { lanes.indices.contains($0) ? $0 : nil }
  }

  /// Tries all targets that have no final outcome yet, those of each provider in the provider's own lane. Those that no
  /// provider serves are parked.
  ///
  /// - Throws: Why what is finished cannot be looked up, once all that was begun has ended and is recorded.
  private func tryAll(_ work: InFlightMessage) async throws {
    let needed = (lanes.indices.map(Optional.some) + [nil])
      .filter { lane in
        work.message.deliveries.contains { $0.targets.contains { self.lane(of: $0) == lane } }
      }
    var failure: (any Error)?
    if needed.count == 1 {
      failure = await tryTargets(of: work, in: needed[0])
    } else {
      failure = await withTaskGroup(of: (any Error)?.self) { group in
        for lane in needed { group.addImmediateTask { await tryTargets(of: work, in: lane) } }
        return await group.reduce(nil as (any Error)?) { $0 ?? $1 }
      }
    }
    guard let failure else { return }
    _ = try await repeating(work.message) { try await work.recordOutcomes(outcomes.write) }
    throw failure
  }

  /// Tries the message's targets of one lane when it is its turn, and gives the turn on when the last has begun; those of no
  /// lane wait for none.
  ///
  /// - Returns: Why what is finished cannot be looked up, once all that was begun has ended; nil if it could be.
  private func tryTargets(of work: InFlightMessage, in lane: Int?) async -> (any Error)? {
    let turn = lane.map { lanes[$0].turn }
    await turn?.acquire()
    var failure: (any Error)?
    await withDiscardingTaskGroup { group in
      do {
        try await beginTargets(of: work, in: lane, group: &group)
      } catch {
        failure = error
      }
      turn?.release()
    }
    return failure
  }

  /// Begins one target of a lane after another, as its slots become free. What is for users who were erased since is dropped:
  /// it leaves no outcome, and does not come back.
  private func beginTargets(of work: InFlightMessage, in lane: Int?, group: inout DiscardingTaskGroup) async throws {
    let message = work.message
    let slots = lane.map { lanes[$0].slots }
    let end = work.receivedAt + timing.beginsWithin(longest: channel.longestDelivery)
    var finished: Set<DeliveryStore.Key> = []
    // Of a message that no dispatcher had before nothing is finished, until the broker may have given it to another.
    var lookedUp = work.mayHaveBeenTried ? nil : work.receivedAt
    var isLate = false
    for (index, delivery) in message.deliveries.enumerated() {
      let content = message.contents[delivery.content]
      for target in delivery.targets where self.lane(of: target) == lane {
        var hasSlot = false
        if !isLate, let slots {
          await slots.acquire()
          hasSlot = true
        }
        defer { if hasSlot { slots?.release() } }
        guard isOurs(work) else { return work.abandon() }
        isLate = isLate || ContinuousClock.now >= end
        if isLate {
          work.add(.postponed(reason: "not begun in time", after: .zero), delivery, target)
          continue
        }
        if lookedUp.map({ ContinuousClock.now - $0 >= timing.lookupLifetime }) ?? true {
          let rest = message.deliveries[index...].map { ($0.userId, $0.notificationId) }
          let known = try await repeating(message) { try await store.finished(rest, channel: channel.channel) }
          guard let known, isOurs(work) else { return work.abandon() }
          finished = known
          lookedUp = .now
        }
        if finished.contains(.init(notificationID: delivery.notificationId, target: target.id)) { continue }
        var isErased = erasures.known(delivery.userId, at: content.createdAt)
        if isErased == nil {
          isErased = try await repeating(message) {
            try await erasures.isErased(delivery.userId, at: content.createdAt)
          }
          guard isErased != nil, isOurs(work) else { return work.abandon() }
        }
        if isErased == true { continue }
        if content.expiresAt <= Date.now {
          work.expire(delivery, target)
          continue
        }
        guard let slots else {
          work.add(.noProvider, delivery, target)
          continue
        }
        hasSlot = false
        // At once, up to where it waits for the provider: for that no other thread need be woken.
        group.addImmediateTask { [channel, telemetry] in
          let result = await telemetry.observe { await channel.deliver(delivery, to: target, content: content) }
          work.add(result, delivery, target)
          slots.release()
        }
      }
    }
  }

  /// Whether more of the message may be begun: neither does the service stop, nor has the broker handed it to somebody else.
  private func isOurs(_ work: InFlightMessage) -> Bool {
    !Task.isShuttingDownGracefully && !Task.isCancelled && consumer.isCurrent(work.delivery)
  }

  /// Records what comes of messages while other targets of theirs are still in hand, until cancelled.
  private func recordAsResultsComeIn() async {
    while !Task.isCancelled {
      do {
        try await Task.sleep(for: timing.recordingInterval)
      } catch {
        return
      }
      await withDiscardingTaskGroup { group in
        for work in inFlight.messages where work.hasUnrecorded {
          group.addTask {
            do {
              try await work.recordOutcomes(outcomes.write)
            } catch {
              // Settling the message tries again, and parks it if that can never work.
              logger.debug("outcomes are not recorded yet", metadata: ["error": "\(error)"])
            }
          }
        }
      }
    }
  }
}
