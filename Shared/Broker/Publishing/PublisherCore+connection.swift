import DequeModule
import Dispatch
import DriverExecutor
import Synchronization

extension PublisherCore {
  /// How often heartbeats and deadlines are looked at.
  private static let tick: DispatchTimeInterval = .milliseconds(250)

  func attach(_ link: sending AMQPLink) {
    guard !isClosed else { return link.close() }
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
    state.withLock { $0 = .connected }
    startTimer()
    receive()
  }

  func untilDetached() async -> BrokerError? {
    if isClosed { return nil }
    guard link != nil else { return lastDetachment }
    return await withCheckedContinuation { detachment = $0 }
  }

  /// Gives the connection up. Nobody can know what became of the unconfirmed messages.
  func detach(_ error: BrokerError) {
    guard link != nil else { return }
    sources?.cancel()
    sources = nil
    link = nil
    isBlocked = false
    state.withLock { $0 = .disconnected }
    let lost = BrokerError(
      .connectionLost,
      "The connection to the broker was lost before it confirmed; the message may be stored.",
      detail: error.debugDescription
    )
    for var waiter in unconfirmed.removeAll() {
      waiter.answer(waiter.returned ?? (error.refuses(exchange: waiter.exchange) ? error : lost))
    }
    let patience = ContinuousClock.now + configuration.availabilityTimeout
    for index in pending.indices { pending[index].waiter.deadline = min(pending[index].waiter.deadline, patience) }
    lastDetachment = error
    detachment?.resume(returning: isClosed ? nil : error)
    detachment = nil
    finishDrainIfEmpty()
  }

  /// Refuses new publishes and waits until those in flight are answered, at most until the deadline.
  func drain(for limit: Duration) async {
    receiveArrivals()
    isClosing = true
    drainDeadline = .now + limit
    guard unconfirmed.count > 0 || !pending.isEmpty else { return }
    startTimer()
    await withCheckedContinuation { drained = $0 }
  }

  func finishDrainIfEmpty() {
    guard unconfirmed.count == 0, pending.isEmpty else { return }
    drained?.resume()
    drained = nil
  }

  /// Says goodbye to the broker; whoever still waits gets an error.
  func close() {
    isClosed = true
    isClosing = true
    link?.close()
    let error = BrokerError(.closed, "The publisher has been shut down; the message may be stored.")
    detach(error)
    failPending(error)
    detachment?.resume(returning: nil)
    detachment = nil
    timer?.cancel()
    timer = nil
  }

  func startTimer() {
    guard timer == nil, !isClosed else { return }
    let timer = DispatchSource.makeTimerSource(queue: executor.queue)
    timer.schedule(deadline: .now() + Self.tick, repeating: Self.tick, leeway: .milliseconds(25))
    timer.setEventHandler { self.assumeIsolated { $0.ticked() } }
    timer.resume()
    self.timer = timer
  }

  private func ticked() {
    receive()
    let now = ContinuousClock.now
    expire(now)
    if let deadline = drainDeadline, now > deadline {
      drained?.resume()
      drained = nil
    }
    finishDrainIfEmpty()
    // Without a connection and without callers there is nothing to look after.
    if link == nil, pending.isEmpty {
      timer?.cancel()
      timer = nil
    }
  }

  private func expire(_ now: ContinuousClock.Instant) {
    if pending.contains(where: { $0.waiter.deadline <= now }) {
      let error =
        link == nil
        ? BrokerError(.unavailable, "There is no connection to the broker.")
        : BrokerError(.timeout, "The broker did not take the message in time.")
      pending.removeAll { publish in
        guard publish.waiter.deadline <= now else { return false }
        publish.waiter.continuation?.resume(returning: error)
        return true
      }
    }
    unconfirmed.updateOldest { waiter in
      guard waiter.deadline <= now else { return false }
      waiter.answer(BrokerError(.timeout, "The broker did not confirm in time; the message may be stored."))
      return true
    }
  }
}

extension BrokerError {
  /// The channel was closed because of this exchange, so that publishing there again is pointless.
  fileprivate func refuses(exchange: String) -> Bool {
    [.notFound, .accessRefused].contains(code) && message.contains("'\(exchange)'")
  }
}
