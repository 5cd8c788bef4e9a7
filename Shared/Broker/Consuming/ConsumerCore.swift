import DequeModule
import Dispatch
import DriverExecutor
import Logging
import Synchronization

/// Owns a consumer's connection: collects deliveries for the one who iterates, and sends acknowledgements.
///
/// The buffer is bounded by the prefetch: the broker sends no more until something is acknowledged.
actor ConsumerCore: LinkOwner {
  private static let tick: DispatchTimeInterval = .milliseconds(250)

  nonisolated let executor = QueueExecutor(label: "belfry.broker.consumer")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  nonisolated let isReady = Mutex(false)
  /// Of the connection that is up; nil while there is none.
  nonisolated let generation = Mutex<UInt64?>(nil)

  private let maximumBatch: Int
  private let reconnected: (@Sendable () -> Void)?
  private let telemetry: ConsumerTelemetry
  private let logger: Logger

  private var hasConnected = false
  private var link: AMQPLink?
  private var sources: LinkSources?
  private var timer: (any DispatchSourceTimer)?
  private var buffer: Deque<BrokerDelivery> = []
  private var window = DeliveryWindow()
  private var isStopped = false
  private var isClosed = false
  private var reader: CheckedContinuation<[BrokerDelivery]?, Never>?
  private var detachment: CheckedContinuation<BrokerError?, Never>?
  private var lastDetachment: BrokerError?

  init(
    maximumBatch: Int,
    reconnected: (@Sendable () -> Void)?,
    telemetry: ConsumerTelemetry,
    logger: Logger
  ) {
    self.maximumBatch = max(1, maximumBatch)
    self.reconnected = reconnected
    self.telemetry = telemetry
    self.logger = logger
  }

  /// Runs on the actor soon, in the order of the calls.
  nonisolated func enqueue(_ work: @escaping @Sendable (isolated ConsumerCore) -> Void) {
    executor.queue.async { self.assumeIsolated(work) }
  }

  // MARK: Connection

  func attach(_ link: sending AMQPLink) {
    guard !isClosed, !isStopped else {
      lastDetachment = BrokerError(.closed, "The consumer has been stopped.")
      return link.close()
    }
    do throws(BrokerError) {
      sources = try LinkSources(descriptor: link.descriptor, queue: executor.queue) {
        self.assumeIsolated { $0.receive() }
      }
    } catch {
      lastDetachment = error
      return
    }
    self.link = link
    lastDetachment = nil
    window = DeliveryWindow()
    isReady.withLock { $0 = true }
    generation.withLock { $0 = link.generation }
    if hasConnected { reconnected?() }
    hasConnected = true
    startTimer()
    receive()
  }

  func untilDetached() async -> BrokerError? {
    if isClosed || isStopped && link == nil { return nil }
    guard link != nil else { return lastDetachment }
    return await withCheckedContinuation { detachment = $0 }
  }

  /// Gives the connection up; the broker will deliver again whatever isn't acknowledged, so the buffer is void.
  private func detach(_ error: BrokerError?) {
    guard link != nil else { return }
    timer?.cancel()
    timer = nil
    sources?.cancel()
    sources = nil
    link = nil
    buffer.removeAll()
    isReady.withLock { $0 = false }
    generation.withLock { $0 = nil }
    lastDetachment = error
    detachment?.resume(returning: isStopped ? nil : error)
    detachment = nil
  }

  private func startTimer() {
    let timer = DispatchSource.makeTimerSource(queue: executor.queue)
    timer.schedule(deadline: .now() + Self.tick, repeating: Self.tick, leeway: .milliseconds(25))
    timer.setEventHandler { self.assumeIsolated { $0.receive() } }
    timer.resume()
    self.timer = timer
  }

  /// Closes after what was acknowledged has been sent; the rest returns to the queue.
  func close() {
    stop()
    isClosed = true
    link?.close()
    detach(nil)
  }

  /// Ends the sequence; acknowledgements still pass.
  func stop() {
    guard !isStopped else { return }
    isStopped = true
    isReady.withLock { $0 = false }
    buffer.removeAll()
    reader?.resume(returning: nil)
    reader = nil
    attempt { link throws(BrokerError) in try link.cancelConsumer() }
  }

  // MARK: Deliveries

  /// The next batch as soon as there is one; nil once stopped or when the caller is cancelled.
  func next() async -> [BrokerDelivery]? {
    if isStopped || Task.isCancelled { return nil }
    if let batch = takeBatch() { return batch }
    // A second iterator takes over from the first.
    endReading()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { reader = $0 }
    } onCancel: {
      enqueue { $0.endReading() }
    }
  }

  private func endReading() {
    reader?.resume(returning: nil)
    reader = nil
  }

  private func takeBatch() -> [BrokerDelivery]? {
    guard !buffer.isEmpty else { return nil }
    let count = min(buffer.count, maximumBatch)
    let batch = Array(buffer.prefix(count))
    buffer.removeFirst(count)
    return batch
  }

  /// Takes whatever has arrived, then hands it out at once.
  private func receive() {
    guard let link else { return }
    do throws(BrokerError) {
      while let event = try link.nextEvent() { try handle(event) }
    } catch {
      detach(error)
      return
    }
    guard reader != nil, let batch = takeBatch() else { return }
    reader?.resume(returning: batch)
    reader = nil
  }

  private func handle(_ event: LinkEvent) throws(BrokerError) {
    switch event {
    case .delivered(let delivery):
      window.received(delivery.tag)
      telemetry.count(delivery)
      if !isStopped { buffer.append(delivery) }
    case .consumerCancelled:
      throw BrokerError(.connectionLost, "The broker ended the consumer; its queue may have been deleted.")
    case .closed(let error):
      throw error
    case .blocked, .unblocked:
      // Alarms stop publishing only.
      break
    case .confirmed, .refused, .returned, .queueIsEmpty:
      throw BrokerError(.protocolViolation, "The broker answered a consumer as if it were a publisher.")
    }
  }

  // MARK: Settlement

  func acknowledge(_ tags: [UInt64], generation: UInt64) {
    guard link?.generation == generation else { return }
    for acknowledgement in window.acknowledge(tags) {
      attempt { link throws(BrokerError) in try link.acknowledge(acknowledgement) }
    }
  }

  func reject(_ tag: UInt64, generation: UInt64, requeue: Bool) {
    guard link?.generation == generation, window.reject(tag) else { return }
    attempt { link throws(BrokerError) in try link.reject(tag: tag, requeue: requeue) }
  }

  private func attempt(_ call: (AMQPLink) throws(BrokerError) -> Void) {
    guard let link else { return }
    do throws(BrokerError) {
      try call(link)
    } catch {
      detach(error.with(.connectionLost))
    }
  }
}
