/// A message that came from a queue and waits to be acknowledged or rejected.
public struct BrokerDelivery: Sendable {
  public let message: BrokerMessage
  /// Where it was published; empty for the default exchange.
  public let exchange: String
  public let routingKey: String
  /// It was handed out before, perhaps to a consumer that died: the work may be done already.
  public let redelivered: Bool
  /// How often a quorum queue has handed it out before without an acknowledgement; 0 on other queues.
  public let deliveryCount: Int

  package let tag: UInt64
  /// The connection it came over. Its tag means nothing on another.
  package let generation: UInt64

  package init(
    message: BrokerMessage,
    exchange: String,
    routingKey: String,
    redelivered: Bool,
    deliveryCount: Int,
    tag: UInt64,
    generation: UInt64
  ) {
    self.message = message
    self.exchange = exchange
    self.routingKey = routingKey
    self.redelivered = redelivered
    self.deliveryCount = deliveryCount
    self.tag = tag
    self.generation = generation
  }
}
