import Broker
import Dispatching
import NotificationModel
import NotificationStore
import Synchronization

/// A process that dies after so many effects on the world: whatever it does after that does not happen.
final class Life: Sendable {
  private let left: Mutex<Int>

  init(effects: Int = .max) {
    left = Mutex(effects)
  }

  var isOver: Bool { left.withLock { $0 == 0 } }

  /// Takes one effect; false: the process is dead.
  func live() -> Bool {
    left.withLock { left in
      guard left > 0 else { return false }
      left -= 1
      return true
    }
  }
}

/// What a mortal process reaches of the outcomes.
struct MortalOutcomes: OutcomeStore {
  let outcomes: InMemoryOutcomes
  let life: Life

  func record(_ records: [DeliveryStore.Record]) async throws {
    guard life.live() else { throw CancellationError() }
    try await outcomes.record(records)
  }

  func finished(
    _ notifications: [(user: UserID, id: NotificationID)],
    channel: Channel
  ) async throws -> Set<DeliveryStore.Key> {
    guard !life.isOver else { throw CancellationError() }
    return try await outcomes.finished(notifications, channel: channel)
  }

  func finished(topics: [NotificationID]) async throws -> Set<DeliveryStore.Key> {
    guard !life.isOver else { throw CancellationError() }
    return try await outcomes.finished(topics: topics)
  }
}

/// What a mortal process reaches of the broker.
struct MortalBroker<Consumer: MessageConsumer, Publisher: MessagePublisher>: MessageConsumer, MessagePublisher {
  let consumer: Consumer
  let publisher: Publisher
  let life: Life

  func run(_ body: (BrokerBatches) async throws -> Void) async throws { try await consumer.run(body) }

  func stop() { consumer.stop() }

  func acknowledge(_ deliveries: [BrokerDelivery]) {
    if life.live() { consumer.acknowledge(deliveries) }
  }

  func reject(_ delivery: BrokerDelivery, requeue: Bool) {
    if life.live() { consumer.reject(delivery, requeue: requeue) }
  }

  func isCurrent(_ delivery: BrokerDelivery) -> Bool { consumer.isCurrent(delivery) }

  func publish(
    _ message: BrokerMessage,
    exchange: String,
    routingKey: String,
    mandatory: Bool
  ) async throws(BrokerError) {
    guard life.live() else { throw BrokerError(.cancelled, "dead") }
    try await publisher.publish(message, exchange: exchange, routingKey: routingKey, mandatory: mandatory)
  }
}
