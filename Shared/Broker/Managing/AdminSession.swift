import DriverExecutor

/// One connection for management; its calls block a queue of their own.
actor AdminSession {
  private nonisolated let executor = QueueExecutor(label: "belfry.broker.admin")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private var link: AMQPLink?
  /// Whether something was acknowledged of which the queue may not have heard yet.
  private var hasUnsettled = false

  func attach(_ link: sending AMQPLink) {
    self.link = link
  }

  func perform<Value: Sendable>(
    _ call: @Sendable (AMQPLink) throws(BrokerError) -> Value
  ) -> Result<Value, BrokerError> {
    guard let link else { return .failure(BrokerError(.closed, "The connection for management is closed.")) }
    do throws(BrokerError) {
      return .success(try call(link))
    } catch {
      return .failure(error)
    }
  }

  /// Takes `count` messages, or all if there are fewer: all are asked for before the first answer is read.
  func take(_ count: Int, from queue: String) throws(BrokerError) -> [BrokerDelivery] {
    guard let link else { throw BrokerError(.closed, "The connection for management is closed.") }
    var messages: [BrokerDelivery] = []
    for _ in 0..<count { try link.get(queue: queue) }
    for _ in 0..<count {
      if let message = try answer(link, queue: queue) { messages.append(message) }
    }
    return messages
  }

  /// Removes a message from its queue; it is gone for certain after ``settle(_:)``.
  func acknowledge(_ message: BrokerDelivery) throws(BrokerError) {
    guard let link else { throw BrokerError(.closed, "The connection for management is closed.") }
    try link.acknowledge(Acknowledgement(tag: message.tag, multiple: false))
    hasUnsettled = true
  }

  /// Returns once the queue knows what was acknowledged.
  ///
  /// RabbitMQ's channel has 32 commands at most on their way to a quorum queue. It keeps further acknowledgements until the
  /// queue has answered, and forgets them when it is closed before. A get is answered after the commands that are on their
  /// way; with it the channel sends what it kept, so a second one is answered after that. What they take goes back when the
  /// session is closed.
  func settle(_ queue: String) throws(BrokerError) {
    guard hasUnsettled else { return }
    for _ in 0..<2 { _ = try take(1, from: queue) }
    hasUnsettled = false
  }

  private func answer(_ link: AMQPLink, queue: String) throws(BrokerError) -> BrokerDelivery? {
    while let event = try link.nextEvent(waiting: .seconds(10)) {
      switch event {
      case .delivered(let delivery): return delivery
      case .queueIsEmpty: return nil
      case .closed(let error): throw error
      default: continue
      }
    }
    throw BrokerError(.timeout, "The broker did not answer a get from queue \(queue) in time.")
  }

  func close() {
    link?.close()
    link = nil
  }
}
