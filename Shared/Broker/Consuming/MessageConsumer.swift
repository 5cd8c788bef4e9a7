/// Hands out a queue's messages and takes them back: what a worker needs of ``BrokerConsumer``.
public protocol MessageConsumer: Sendable {
  /// Consumes while `body` runs. What is neither acknowledged nor rejected when it returns goes back to the queue.
  func run(_ body: (BrokerBatches) async throws -> Void) async throws

  /// Asks for nothing more and ends the sequence; callable from anywhere.
  func stop()

  /// Tells the broker that these are done. Returns at once.
  func acknowledge(_ deliveries: [BrokerDelivery])

  /// Gives one back to the queue, or without `requeue` to the queue's dead-letter exchange.
  func reject(_ delivery: BrokerDelivery, requeue: Bool)

  /// Whether the delivery is still this consumer's: the broker has not handed it out anew.
  func isCurrent(_ delivery: BrokerDelivery) -> Bool
}

extension BrokerConsumer: MessageConsumer {}
