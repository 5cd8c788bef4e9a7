public import Broker
import Foundation
public import Logging
import NotificationModel
public import NotificationQueue
import NotificationStore
public import Obstacles
public import ServiceLifecycle

/// Consumes a dispatch queue: tries every target, records outcomes, puts what failed on the retry ladder or parks it, and
/// only then acknowledges.
///
/// A target whose message may have been worked on before (redelivered, rechecked, tried again, or in hand for long) is looked
/// up just before it is begun and left out if it has a final outcome; outcomes are recorded as they come in. What is left of
/// doubling, a provider that accepted before a crash could record it, is hidden by the channel's stable collapse id.
public struct DispatchWorker<Delivering: DeliveryChannel>: Service {
  let channel: Delivering
  let consumer: any MessageConsumer
  let publisher: any MessagePublisher
  let store: any OutcomeStore
  let outcomes: OutcomeWriter
  let timing: DispatchTiming
  let logger: Logger
  /// What only the operator can mend, for readiness.
  public let obstacles: ObstacleWatch
  private let ladder: RetryLadder
  /// One for each target that is being tried.
  private let slots: Slots
  /// Held by the message whose targets get the slots that become free: so there are no more tasks than slots, and messages
  /// are finished in about their order.
  private let turn = Slots(count: 1)
  private let inHand = WorkInHand()
  private let metrics: DeliveryMetrics

  public init(
    channel: Delivering,
    consumer: any MessageConsumer,
    publisher: any MessagePublisher,
    store: any OutcomeStore,
    ladder: RetryLadder,
    timing: DispatchTiming = DispatchTiming(),
    logger: Logger
  ) {
    self.channel = channel
    self.consumer = consumer
    self.publisher = publisher
    self.store = store
    outcomes = OutcomeWriter(store: store)
    self.ladder = ladder
    self.timing = timing
    slots = Slots(count: channel.concurrency)
    metrics = DeliveryMetrics(channel: channel.channel)
    self.logger = logger
    obstacles = ObstacleWatch(logger: logger)
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
                // Each joins the line for its turn at once, so that a copy never comes before its original.
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
    let work: MessageInHand
    do {
      let message: DispatchMessage = try QueueCoder.decode(from: delivery.message)
      guard message.isConsistent else { throw QueueMessageError("a delivery points at no content") }
      guard (0...Int(Int16.max)).contains(message.attempt) else { throw QueueMessageError("attempt is out of range") }
      work = MessageInHand(message, delivery, attempt: Attempt(channel, ladder: ladder, attempt: message.attempt))
    } catch {
      return await giveUp(delivery, delivery.message, reason: "cannot be processed: \(error)")
    }
    await takeTurn(work)
    defer { inHand.release(work) }
    do {
      try await tryAll(work)
      if try await settle(work) { consumer.acknowledge([delivery]) }
    } catch {
      // Some targets may have been reached: whoever redrives it looks first.
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

  /// Returns when it is the message's turn to begin, and nothing of it is in hand otherwise.
  private func takeTurn(_ work: MessageInHand) async {
    while true {
      await turn.acquire()
      guard let holder = inHand.claim(work) else { return }
      turn.release()
      await holder.waitUntilReleased()
    }
  }

  /// Tries all targets that have no final outcome yet, and gives the turn on when the last has begun.
  ///
  /// - Throws: Why what is finished cannot be looked up, once all that was begun has ended and is recorded.
  private func tryAll(_ work: MessageInHand) async throws {
    var failure: (any Error)?
    await withDiscardingTaskGroup { group in
      do {
        try await beginAll(work, in: &group)
      } catch {
        failure = error
      }
      turn.release()
    }
    guard let failure else { return }
    _ = try await repeating(work.message) { try await work.recordOutcomes(outcomes.write) }
    throw failure
  }

  /// Begins one target after another, as slots become free.
  private func beginAll(_ work: MessageInHand, in group: inout DiscardingTaskGroup) async throws {
    let message = work.message
    let end = work.receivedAt + timing.beginsWithin(longest: channel.longestDelivery)
    var finished: Set<DeliveryStore.Key> = []
    // What nobody had before is known to be unfinished, for as long as nobody else can have it.
    var lookedUp = work.mayHaveBeenTried ? nil : work.receivedAt
    var isLate = false
    for (index, delivery) in message.deliveries.enumerated() {
      let content = message.contents[delivery.content]
      for target in delivery.targets {
        var hasSlot = false
        if !isLate {
          await slots.acquire()
          hasSlot = true
        }
        defer { if hasSlot { slots.release() } }
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
        if content.expiresAt <= Date.now {
          work.expire(delivery, target)
          continue
        }
        hasSlot = false
        group.addTask {
          let start = ContinuousClock.now
          let result = await channel.deliver(delivery, to: target, content: content)
          metrics.record(result, took: .now - start)
          work.add(result, delivery, target)
          slots.release()
        }
      }
    }
  }

  /// Whether more of the message may be begun: neither does the service stop, nor has the broker handed it to somebody else.
  private func isOurs(_ work: MessageInHand) -> Bool {
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
        for work in inHand.messages where work.hasUnrecorded {
          group.addTask {
            do {
              try await work.recordOutcomes(outcomes.write)
            } catch {
              // Whoever settles the message tries again, and knows what to do if it never works.
              logger.debug("outcomes are not recorded yet", metadata: ["error": "\(error)"])
            }
          }
        }
      }
    }
  }
}
