import DriverExecutor

/// One connection for management; its calls block a queue of their own.
actor AdminSession {
  private nonisolated let executor = QueueExecutor(label: "belfry.broker.admin")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private var link: AMQPLink?

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
