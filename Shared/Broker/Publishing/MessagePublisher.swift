/// Publishes with confirms: what a worker needs of ``BrokerPublisher``.
public protocol MessagePublisher: Sendable {
  /// Returns once the broker has confirmed that the message is stored in every queue it belongs to.
  ///
  /// - Parameter mandatory: A message that reaches no queue is an error (``BrokerError/Code/unroutable``).
  func publish(
    _ message: BrokerMessage,
    exchange: String,
    routingKey: String,
    mandatory: Bool
  ) async throws(BrokerError)
}

extension MessagePublisher {
  /// Publishes what must reach a queue.
  public func publish(_ message: BrokerMessage, exchange: String, routingKey: String) async throws(BrokerError) {
    try await publish(message, exchange: exchange, routingKey: routingKey, mandatory: true)
  }
}

extension BrokerPublisher: MessagePublisher {}
