import Broker
import EmailDispatcher
import LocalStack
import NotificationQueue
import ServiceLifecycle
import Settings
import TestSupport

/// A whole email dispatcher, as it is built of its settings, on the suite's broker and a database of its own.
struct RunningDispatcher {
  private let broker: TestBroker
  private let ladder: RetryLadder

  /// Runs it for the body, from the moment on at which the messages wait for it.
  ///
  /// - Parameter variables: All of its settings but for database, broker and retry ladder.
  static func with(
    _ variables: [String: String],
    _ messages: [(queue: WorkQueue, message: DispatchMessage)],
    _ body: (RunningDispatcher) async throws -> Void
  ) async throws {
    let broker = try TestBroker.require()
    try await TestDatabase.withURL { database in
      let others = [
        "BELFRY_DATABASE_URL": database, "BELFRY_BROKER_URL": broker.server.url,
        // Few queues, which are soon made.
        "BELFRY_RETRY_TIERS": "1s,60s",
      ]
      let settings = Settings(variables: variables.merging(others) { $1 })
      let configuration = EmailConfiguration(settings)
      try settings.validate()
      let topology = Topology.durable(ladder: configuration.ladder)
      // New queues, which have the names that all of Belfry uses.
      for queue in topology.queues { try await broker.admin.delete(queue.name) }
      try await broker.withPublisher(topology) { publisher in
        for (queue, message) in messages {
          try await publisher.publish(
            BrokerMessage(body: QueueCoder.encode(message)),
            exchange: Topology.dispatchExchange,
            routingKey: queue.name
          )
        }
      }
      let parts = try await EmailDispatcher.build(configuration, logger: .quiet)
      let services = ServiceGroup(
        configuration: .init(services: parts.map { .init(service: $0) }, logger: .quiet)
      )
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await services.run() }
        try await body(RunningDispatcher(broker: broker, ladder: configuration.ladder))
        await services.triggerGracefulShutdown()
        try await group.waitForAll()
      }
    }
  }

  /// Messages of a queue that wait on the ladder.
  func waiting(of queue: WorkQueue) async throws -> Int {
    let depths = try await broker.admin.depths(of: ladder.tiers.map { $0.queue(of: queue) })
    return depths.values.reduce(0, +)
  }
}
