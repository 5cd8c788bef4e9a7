public import Broker
import Foundation
public import Logging
public import NotificationQueue
public import ServiceFaults
public import ServiceLifecycle

/// Consumes a dispatch queue: tries every target, records outcomes, puts what failed on the retry ladder or dead-letters it, and
/// only then acknowledges.
///
/// A target whose message may have been worked on before (redelivered, rechecked, tried again, or in flight for long) is looked
/// up just before it is begun and left out if it has a final outcome; outcomes are recorded as they come in. Users who were
/// erased since get nothing (``ErasureWatch``), and neither does against whom something has come up while the message waited
/// (``DeliveryChannel/objections(to:)``). What is left of doubling, what a provider accepted from a dispatcher that
/// crashed before it recorded that, is hidden by the channel's stable collapse id.
public struct DispatchWorker: Service {
  let channel: any DeliveryChannel
  let consumer: any MessageConsumer
  let publisher: any MessagePublisher
  let store: any OutcomeStore
  let erasures: ErasureWatch
  let outcomes: OutcomeWriter
  let timing: DispatchTiming
  let logger: Logger
  /// What only the operator can fix, for readiness.
  public let faults: ServiceFaultWatch
  let ladder: RetryLadder
  /// With routers of a later version.
  let versionSkewRetry = VersionSkewRetry()
  let limit: ProviderLimit
  /// Asks how many consumers the work queue has, which share the provider's quota; nil: this is the only one.
  let consumerCount: (@Sendable () async throws -> Int)?
  /// How long after the stop began the provider's answers are waited for; nil: to the end.
  let answersUntil: Duration?
  private let inFlight = InFlightWork()
  let telemetry: DeliveryTelemetry

  /// - Parameters:
  ///   - shared: The permits that it has together with other workers, beside its channel's concurrency.
  ///   - quota: The quota that it has together with other workers; nil: its channel's control sets its own.
  public init(
    channel: any DeliveryChannel,
    consumer: any MessageConsumer,
    publisher: any MessagePublisher,
    store: any OutcomeStore,
    erasures: ErasureWatch,
    ladder: RetryLadder,
    timing: DispatchTiming = DispatchTiming(),
    shared: SharedPermits.Member? = nil,
    quota: SharedTokens.Member? = nil,
    consumerCount: (@Sendable () async throws -> Int)? = nil,
    answersUntil: Duration? = nil,
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
    self.consumerCount = consumerCount
    self.answersUntil = answersUntil
    limit = ProviderLimit(
      concurrency: channel.concurrency,
      settings: channel.control,
      shared: shared,
      quota: quota
    )
    telemetry = DeliveryTelemetry(channel: channel.channel)
    self.logger = logger
    faults = ServiceFaultWatch(logger: logger)
  }

  /// Works until the service stops. As many messages are in flight as the consumer's prefetch allows.
  public func run() async throws {
    try await withGracefulShutdownHandler {
      try await consumer.run { batches in
        await withDiscardingTaskGroup { group in
          group.addTask { await recordAsResultsComeIn() }
          if let consumerCount, limit.control.hasQuota {
            group.addTask { await followShare(consumerCount) }
          }
          if let answersUntil {
            group.addTask { await giveUpAnswers(after: answersUntil) }
          }
          await withDiscardingTaskGroup { messages in
            for await batch in batches {
              for received in batch {
                // Each takes its notifications and joins the line at once, so that a copy never comes before its original.
                messages.addImmediateTask { await received.withSpan { await handle(received) } }
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

  /// When the service stops, ends in time what the provider does not answer: so that it can be recorded.
  private func giveUpAnswers(after wait: Duration) async {
    do {
      try await gracefulShutdown()
      try await Task.sleep(for: wait)
    } catch {
      // All have been answered.
      return
    }
    channel.giveUpAnswers()
  }

  private func handle(_ received: BrokerDelivery) async {
    let work: InFlightMessage
    do {
      let message: DispatchMessage = try QueueCoder.decode(from: received.message)
      guard message.isConsistent else { throw QueueMessageError("a delivery points at no content") }
      guard (0...Int(Int16.max)).contains(message.attempt) else { throw QueueMessageError("attempt is out of range") }
      let attempt = Attempt(channel, ladder: ladder, failures: message.attempt, jitter: limit.jitter)
      work = InFlightMessage(message, received, attempt: attempt)
    } catch let error as QueueMessageError
      where error.isNewer && versionSkewRetry.applies(to: received.message, now: Date.now)
    {
      return await putBack(received, reason: error.description)
    } catch {
      return await deadLetter(received, received.message, reason: "cannot be processed: \(error)")
    }
    await claim(work)
    defer { inFlight.release(work) }
    do {
      if !postponed(work, now: Date.now) { try await tryAll(work) }
      if try await settle(work) { consumer.acknowledge([received]) }
    } catch {
      // Some targets may have been reached: the dispatcher that gets it after a redrive looks outcomes up first.
      let message = work.message
      let rechecked = message.keeping(
        message.deliveries,
        attempt: message.attempt,
        failingSince: message.failingSince,
        recheck: true
      )
      await deadLetter(received, wrap(rechecked, like: received.message), reason: "cannot be processed: \(error)")
    }
  }

  /// Returns when no other message in flight has any of this one's notifications; until it is released, none can take them.
  private func claim(_ work: InFlightMessage) async {
    while let holder = inFlight.claim(work) { await holder.waitUntilReleased() }
  }

  /// Records what comes of messages while other targets of theirs are still in flight, until cancelled.
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
              // Settling the message tries again, and dead-letters it if that can never work.
              logger.debug("outcomes are not recorded yet", metadata: ["error": "\(error)"])
            }
          }
        }
      }
    }
  }
}
