import DequeModule
import Dispatch
import DriverExecutor
import Logging
import Synchronization

/// Owns the publisher's connection: sends, and answers each caller when the broker has confirmed its message.
///
/// Sent and unconfirmed publishes are in `unconfirmed`, those not sent yet in `pending`, oldest first. Every caller has a
/// deadline, which the timer enforces; the same timer keeps the heartbeats going.
actor PublisherCore: LinkOwner {
  nonisolated let executor = QueueExecutor(label: "belfry.broker.publisher")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  nonisolated let state = Mutex<BrokerState>(.disconnected)
  /// What callers have left since the queue last looked; each waits for its answer, so there are as many as callers.
  nonisolated let arrivals = Mutex<[PendingPublish]>([])

  let configuration: BrokerConfiguration
  let maximumUnconfirmed: Int
  let logger: Logger

  var link: AMQPLink?
  var sources: LinkSources?
  var timer: (any DispatchSourceTimer)?
  var pending: Deque<PendingPublish> = []
  var unconfirmed = ConfirmWindow<PublishWaiter>()
  /// Bytes written since the socket was last known to take more.
  private var writtenUnasked = 0
  var isBlocked = false
  /// No new publishes: `drain` was called.
  var isClosing = false
  var isClosed = false
  var detachment: CheckedContinuation<BrokerError?, Never>?
  var lastDetachment: BrokerError?
  var drained: CheckedContinuation<Void, Never>?
  var drainDeadline: ContinuousClock.Instant?

  init(configuration: BrokerConfiguration, maximumUnconfirmed: Int, logger: Logger) {
    self.configuration = configuration
    self.maximumUnconfirmed = max(1, maximumUnconfirmed)
    self.logger = logger
  }

  /// Callers beyond the unconfirmed ones that may wait.
  private var maximumPending: Int { 4 * maximumUnconfirmed }

  /// Sends the message and waits for its confirm; returns what went wrong.
  ///
  /// Callers only pass by: they leave the message in `arrivals` and wait for the answer where they are. The connection's
  /// queue is woken once for however many come meanwhile, and an answer costs one change of thread, not two.
  nonisolated func publish(
    _ message: BrokerMessage,
    exchange: String,
    routingKey: String,
    mandatory: Bool,
    id: UInt64
  ) async -> BrokerError? {
    if Task.isCancelled { return Self.cancelled }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isFirst = arrivals.withLock { arrivals in
          arrivals.append(
            PendingPublish(
              message: message,
              exchange: exchange,
              routingKey: routingKey,
              mandatory: mandatory,
              waiter: PublishWaiter(id: id, exchange: exchange, continuation: continuation)
            )
          )
          return arrivals.count == 1
        }
        if isFirst { executor.queue.async { self.assumeIsolated { $0.receiveArrivals() } } }
        // Cancelled before it arrived: the handler below found nothing.
        if Task.isCancelled { cancelLater(id) }
      }
    } onCancel: {
      cancelLater(id)
    }
  }

  private nonisolated func cancelLater(_ id: UInt64) {
    executor.queue.async { self.assumeIsolated { $0.cancel(id) } }
  }

  /// Lines up what callers have left, or refuses it.
  func receiveArrivals() {
    // The next arrival finds it empty, and wakes the queue again.
    let arrived = arrivals.withLock { arrivals in
      defer { arrivals.removeAll() }
      return arrivals
    }
    guard !arrived.isEmpty else { return }
    let now = ContinuousClock.now
    var mayMakeRoom = true
    for var publish in arrived {
      if pending.count == maximumPending, mayMakeRoom {
        flush()
        mayMakeRoom = pending.count < maximumPending
      }
      if let refusal {
        publish.waiter.answer(refusal)
      } else {
        publish.waiter.deadline = now + (link == nil ? configuration.availabilityTimeout : configuration.confirmTimeout)
        pending.append(publish)
      }
    }
    startTimer()
    flush()
  }

  /// Why nothing more can wait; nil if it can.
  private var refusal: BrokerError? {
    if isClosing { return BrokerError(.closed, "The publisher has been shut down.") }
    if isBlocked { return Self.blocked }
    if pending.count >= maximumPending {
      return BrokerError(.overloaded, "\(pending.count) publishes wait for the broker already.")
    }
    return nil
  }

  /// Sends what waits, as far as the broker's confirms and the socket allow.
  func flush() {
    guard let link, !isBlocked else { return }
    do throws(BrokerError) {
      while let size = pending.first?.message.body.count, unconfirmed.count < maximumUnconfirmed {
        guard try canWrite(size, to: link) else {
          try sources?.startWriting { self.assumeIsolated { $0.flush() } }
          return
        }
        var next = pending.removeFirst()
        // What it waited for a connection does not count: the broker has its full time to confirm.
        next.waiter.deadline = .now + configuration.confirmTimeout
        let tag = unconfirmed.nextTag
        unconfirmed.append(next.waiter)
        try link.publish(
          next.message,
          exchange: next.exchange,
          routingKey: next.routingKey,
          mandatory: next.mandatory,
          sequence: tag
        )
      }
      try link.writePublished()
      sources?.stopWriting()
    } catch {
      detach(error.with(.connectionLost))
    }
  }

  /// Asks the socket only now and then: small messages fit into what is free when it says yes.
  private func canWrite(_ size: Int, to link: AMQPLink) throws(BrokerError) -> Bool {
    writtenUnasked += size + 512
    guard writtenUnasked > 8_192 else { return true }
    try link.writePublished()
    guard link.isWritable else { return false }
    writtenUnasked = 0
    return true
  }

  /// Takes whatever has arrived and answers whom it concerns.
  func receive() {
    guard let link else { return }
    do throws(BrokerError) {
      while let event = try link.nextEvent() {
        try handle(event)
      }
    } catch {
      detach(error)
      return
    }
    flush()
    finishDrainIfEmpty()
  }

  private func handle(_ event: LinkEvent) throws(BrokerError) {
    switch event {
    case .confirmed(let tag, let multiple):
      unconfirmed.settle(tag, multiple: multiple) { waiter in
        var waiter = waiter
        waiter.answer(waiter.returned)
      }
    case .refused(let tag, let multiple):
      unconfirmed.settle(tag, multiple: multiple) { waiter in
        var waiter = waiter
        waiter.answer(BrokerError(.nacked, "The broker refused to store the message; its queue may be full."))
      }
    case .returned(let sequence, let reason):
      unconfirmed.update(sequence) {
        $0.returned = BrokerError(.unroutable, "The message reached no queue: exchange \"\($0.exchange)\", \(reason).")
      }
    case .blocked(let reason):
      setBlocked(reason)
    case .unblocked:
      isBlocked = false
      state.withLock { $0 = .connected }
      logger.info("the broker accepts publishes again")
    case .closed(let error):
      throw error
    case .delivered, .queueIsEmpty, .consumerCancelled:
      throw BrokerError(.protocolViolation, "The broker delivered to a publisher.")
    }
  }

  private func setBlocked(_ reason: String) {
    isBlocked = true
    state.withLock { $0 = .blocked }
    logger.warning("the broker has an alarm and accepts no publishes", metadata: ["reason": "\(reason)"])
    failPending(Self.blocked)
  }

  func failPending(_ error: BrokerError) {
    while var next = pending.popFirst() { next.waiter.answer(error) }
  }

  private func cancel(_ id: UInt64) {
    receiveArrivals()
    if let index = pending.firstIndex(where: { $0.waiter.id == id }) {
      var waiting = pending.remove(at: index)
      waiting.waiter.answer(Self.cancelled)
      return
    }
    unconfirmed.updateOldest { waiter in
      guard waiter.id == id else { return true }
      waiter.answer(Self.cancelled)
      return false
    }
  }

  private static let cancelled = BrokerError(.cancelled, "The publish was cancelled; the message may be stored.")
  private static let blocked = BrokerError(
    .blocked,
    "The broker has a memory or disk alarm and accepts no messages for now."
  )
}
