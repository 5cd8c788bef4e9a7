import Broker
import Logging
import NotificationQueue

/// Moves parked messages back to where they came from.
struct DeadRedrive: Sendable {
  /// More are taken by repeating the command.
  static let limit = 5_000

  let configuration: BrokerConfiguration
  let queue: DeadQueue
  /// `nil`: all.
  let ids: Set<String>?

  /// - Returns: How many were moved.
  func run() async throws -> Int {
    let logger = Logger.quiet
    let admin = BrokerAdmin(configuration: configuration, logger: logger)
    let publisher = BrokerPublisher(configuration: configuration, logger: logger)
    return try await withThrowingTaskGroup(of: Int?.self) { group in
      group.addTask {
        try await publisher.run()
        return nil
      }
      group.addTask {
        try await admin.withMessages(queue: queue.name, limit: Self.limit) { try await move($0, publisher) }
      }
      for try await case let count? in group {
        group.cancelAll()
        return count
      }
      return 0
    }
  }

  private func move(_ fetch: BrokerFetch, _ publisher: BrokerPublisher) async throws -> Int {
    var count = 0
    for delivery in fetch.messages where ids?.contains(DeadMessage(delivery).id) ?? true {
      let target = target(of: delivery.message)
      try await publisher.publish(
        DeadLetter.redriven(delivery.message),
        exchange: target.exchange,
        routingKey: target.routingKey
      )
      try await fetch.acknowledge(delivery)
      count += 1
    }
    return count
  }

  /// The work queue's own exchange; never the delay ladder that a message may have come through.
  private func target(of message: BrokerMessage) -> (exchange: String, routingKey: String) {
    switch queue {
    case .ingest:
      if case .string(let key)? = message.headers[DeadLetter.routingKeyHeader] { return (Topology.ingestExchange, key) }
      return (Topology.ingestExchange, Topology.requestKey)
    case .push: return (Topology.dispatchExchange, WorkQueue.push.name)
    case .email: return (Topology.dispatchExchange, WorkQueue.email.name)
    }
  }
}
