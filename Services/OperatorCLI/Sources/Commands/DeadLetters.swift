import Broker
import Logging
import NotificationQueue

/// What is parked of one queue's messages. Nothing is removed by looking at it, and no more than a page of it is in memory.
struct DeadLetters: Sendable {
  let queue: DeadQueue
  let configuration: BrokerConfiguration

  /// Messages taken at once.
  private static let page = 100

  private var admin: BrokerAdmin { BrokerAdmin(configuration: configuration, logger: .quiet) }

  /// How many are parked; nil if there is no such queue yet.
  func count() async throws(BrokerError) -> Int? {
    try await depth(of: queue.name)
  }

  /// Gives `body` each message, oldest first, until it answers false or has seen all that is parked now.
  func look(_ body: (DeadMessage) -> Bool) async throws {
    guard let count = try await count(), count > 0 else { return }
    try await admin.withMessages(queue: queue.name) { fetch in
      try await pages(fetch, of: count) { page in page.allSatisfy { body(DeadMessage($0)) } }
    }
  }

  /// Sends messages back to where they came from.
  ///
  /// - Parameter ids: Nil sends all that are parked now.
  func redrive(_ ids: Set<String>?) async throws -> DeadTransfer {
    try await transfer(from: queue.name, topology: .none) { delivery in
      guard ids?.contains(DeadMessage(delivery).id) ?? true else { return nil }
      let (message, exchange, routingKey) = DeadLetter.redriven(delivery.message, into: queue.origin)
      return DeadTransfer.Parcel(message: message, exchange: exchange, routingKey: routingKey)
    }
  }

  /// Brings here what an earlier version has parked, so that it is neither overlooked nor dropped by being looked at.
  func adoptFormer() async throws -> DeadTransfer {
    guard let count = try await depth(of: queue.formerName), count > 0 else { return DeadTransfer() }
    // By way of the default exchange: whatever is bound to the other, this goes to one queue.
    return try await transfer(from: queue.formerName, topology: Topology.parking(of: queue.origin)) {
      DeadTransfer.Parcel(message: $0.message, exchange: "", routingKey: queue.name)
    }
  }

  private func transfer(
    from source: String,
    topology: BrokerTopology,
    _ parcel: @escaping @Sendable (BrokerDelivery) -> DeadTransfer.Parcel?
  ) async throws -> DeadTransfer {
    guard let count = try await depth(of: source) else { return DeadTransfer() }
    let publisher = BrokerPublisher(configuration: configuration, topology: topology, logger: .quiet)
    return try await withThrowingTaskGroup(of: DeadTransfer?.self) { group in
      group.addTask {
        try await publisher.run()
        return nil
      }
      group.addTask {
        try await admin.withMessages(queue: source) { fetch in
          var transfer = DeadTransfer()
          try await pages(fetch, of: count) { page in
            try await transfer.move(page.compactMap { delivery in parcel(delivery).map { (delivery, $0) } }) {
              (parcel) async throws(BrokerError) in
              try await publisher.publish(parcel.message, exchange: parcel.exchange, routingKey: parcel.routingKey)
            } moved: {
              (delivery) async throws(BrokerError) in
              try await fetch.acknowledge(delivery)
            }
            return true
          }
          return transfer
        }
      }
      for try await case let transfer? in group {
        group.cancelAll()
        return transfer
      }
      return DeadTransfer()
    }
  }

  /// All messages that were there at first: what is parked meanwhile, perhaps again, waits for the next command.
  private func pages(
    _ fetch: BrokerFetch,
    of count: Int,
    _ body: ([BrokerDelivery]) async throws -> Bool
  ) async throws {
    var left = count
    while left > 0 {
      let page = try await fetch.take(min(left, Self.page))
      guard !page.isEmpty, try await body(page) else { return }
      left -= page.count
    }
  }

  private func depth(of queue: String) async throws(BrokerError) -> Int? {
    do {
      return try await admin.depth(of: queue)
    } catch {
      if error.code == .notFound { return nil }
      throw error
    }
  }
}
