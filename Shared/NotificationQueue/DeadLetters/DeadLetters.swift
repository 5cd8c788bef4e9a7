public import Broker
public import Logging

/// What is dead-lettered of one queue's messages. Nothing is removed by looking at it, and no more than a page of it is in memory.
public struct DeadLetters: Sendable {
  public let queue: DeadQueue
  private let configuration: BrokerConfiguration
  private let logger: Logger

  /// Messages taken at once.
  private static let page = 100

  private var admin: BrokerAdmin { BrokerAdmin(configuration: configuration, logger: logger) }

  public init(queue: DeadQueue, configuration: BrokerConfiguration, logger: Logger) {
    self.queue = queue
    self.configuration = configuration
    self.logger = logger
  }

  /// How many are dead-lettered; nil if there is no such queue yet.
  public func count() async throws(BrokerError) -> Int? {
    try await depth(of: queue.name)
  }

  /// Gives `body` each message, oldest first, until it answers false or has seen all that is dead-lettered now.
  ///
  /// - Parameter limit: No more than so many are taken to be looked at.
  public func look(atMost limit: Int = .max, _ body: (DeadMessage) -> Bool) async throws {
    guard let count = try await count(), count > 0 else { return }
    try await admin.withMessages(queue: queue.name) { fetch in
      _ = try await pages(fetch, of: min(count, limit)) { page in page.allSatisfy { body(DeadMessage($0)) } }
    }
  }

  /// Sends messages back to where they came from.
  ///
  /// - Parameters:
  ///   - ids: Nil sends all that are dead-lettered now.
  ///   - deadline: After it no further messages are taken; the answer says whether some were left.
  public func redrive(
    _ ids: Set<String>?,
    until deadline: ContinuousClock.Instant? = nil
  ) async throws -> DeadTransfer {
    try await transfer(from: queue.name, topology: .none, until: deadline) { delivery in
      guard ids?.contains(DeadMessage(delivery).id) ?? true else { return nil }
      let (message, exchange, routingKey) = DeadLetter.redriven(delivery.message, into: queue.origin)
      return DeadTransfer.Parcel(message: message, exchange: exchange, routingKey: routingKey)
    }
  }

  /// Throws messages away.
  ///
  /// - Parameters:
  ///   - ids: As of ``redrive(_:until:)``, as is `deadline`.
  ///   - limit: No more than so many of the oldest are looked at.
  /// - Returns: How many are gone, and whether all that was to be looked at was.
  public func discard(
    _ ids: Set<String>?,
    oldest limit: Int = .max,
    until deadline: ContinuousClock.Instant? = nil
  ) async throws -> (count: Int, isComplete: Bool) {
    guard let count = try await count() else { return (0, true) }
    return try await admin.withMessages(queue: queue.name) { fetch in
      var discarded = 0
      let isComplete = try await pages(fetch, of: min(count, limit), until: deadline) { page in
        for delivery in page where ids?.contains(DeadMessage(delivery).id) ?? true {
          try await fetch.acknowledge(delivery)
          discarded += 1
        }
        return true
      }
      return (discarded, isComplete)
    }
  }

  /// Brings here what an earlier version has dead-lettered, so that it is neither overlooked nor dropped by being looked at.
  public func adoptFormer() async throws -> DeadTransfer {
    guard let count = try await depth(of: queue.formerName), count > 0 else { return DeadTransfer() }
    // By way of the default exchange: whatever is bound to the other, this goes to one queue.
    return try await transfer(from: queue.formerName, topology: Topology.deadLetters(of: queue.origin)) {
      DeadTransfer.Parcel(message: $0.message, exchange: "", routingKey: queue.name)
    }
  }

  private func transfer(
    from source: String,
    topology: BrokerTopology,
    until deadline: ContinuousClock.Instant? = nil,
    _ parcel: @escaping @Sendable (BrokerDelivery) -> DeadTransfer.Parcel?
  ) async throws -> DeadTransfer {
    guard let count = try await depth(of: source) else { return DeadTransfer() }
    let publisher = BrokerPublisher(configuration: configuration, topology: topology, logger: logger)
    return try await withThrowingTaskGroup(of: DeadTransfer?.self) { group in
      group.addTask {
        try await publisher.run()
        return nil
      }
      group.addTask {
        try await admin.withMessages(queue: source) { fetch in
          var transfer = DeadTransfer()
          let isComplete = try await pages(fetch, of: count, until: deadline) { page in
            try await transfer.move(page.compactMap { delivery in parcel(delivery).map { (delivery, $0) } }) {
              (parcel) async throws(BrokerError) in
              try await publisher.publish(parcel.message, exchange: parcel.exchange, routingKey: parcel.routingKey)
            } moved: {
              (delivery) async throws(BrokerError) in
              try await fetch.acknowledge(delivery)
            }
            return true
          }
          transfer.isComplete = isComplete
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

  /// All messages that were there at first: what is dead-lettered meanwhile, perhaps again, waits for the next command.
  ///
  /// - Returns: False if the deadline came before the last of them.
  private func pages(
    _ fetch: BrokerFetch,
    of count: Int,
    until deadline: ContinuousClock.Instant? = nil,
    _ body: ([BrokerDelivery]) async throws -> Bool
  ) async throws -> Bool {
    var left = count
    while left > 0 {
      if let deadline, deadline <= .now { return false }
      let page = try await fetch.take(min(left, Self.page))
      guard !page.isEmpty, try await body(page) else { break }
      left -= page.count
    }
    return true
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
