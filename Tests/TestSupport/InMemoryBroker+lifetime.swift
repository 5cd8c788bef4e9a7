package import Broker

/// The broker as one process has it that may die: each publish and each settlement is a step of its life.
extension InMemoryBroker {
  package func publisher(living life: Lifetime) -> MortalPublisher { MortalPublisher(publisher: self, life: life) }

  package func consumer(of queue: String, maximumBatch: Int, living life: Lifetime) -> MortalConsumer {
    MortalConsumer(consumer: consumer(of: queue, maximumBatch: maximumBatch), life: life)
  }
}

/// Publishes as long as its process lives.
package struct MortalPublisher: MessagePublisher {
  fileprivate let publisher: InMemoryBroker
  fileprivate let life: Lifetime

  package func publish(
    _ message: BrokerMessage,
    exchange: String,
    routingKey: String,
    mandatory: Bool
  ) async throws(BrokerError) {
    guard life.begin() else { throw BrokerError(.cancelled, "the process has died") }
    try await publisher.publish(message, exchange: exchange, routingKey: routingKey, mandatory: mandatory)
    guard life.end() else { throw BrokerError(.cancelled, "the process has died") }
  }
}

/// Hands out and settles as long as its process lives.
package struct MortalConsumer: MessageConsumer {
  fileprivate let consumer: InMemoryBroker.Consumer
  fileprivate let life: Lifetime

  package func run(_ body: (BrokerBatches) async throws -> Void) async throws { try await consumer.run(body) }

  package func stop() { consumer.stop() }

  package func acknowledge(_ deliveries: [BrokerDelivery]) {
    guard !deliveries.isEmpty, life.begin() else { return }
    consumer.acknowledge(deliveries)
    life.end()
  }

  package func reject(_ delivery: BrokerDelivery, requeue: Bool) {
    guard life.begin() else { return }
    consumer.reject(delivery, requeue: requeue)
    life.end()
  }

  package func isCurrent(_ delivery: BrokerDelivery) -> Bool { consumer.isCurrent(delivery) }
}
