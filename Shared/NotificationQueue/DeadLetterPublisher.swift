public import Broker

/// Publishes what cannot be processed to the dead-letter queue of its work queue.
public struct DeadLetterPublisher: Sendable {
  private let publisher: any MessagePublisher
  private let queue: String

  /// - Parameter queue: The work queue whose messages are dead-lettered, e.g. `belfry.ingest`.
  public init(queue: String, publisher: any MessagePublisher) {
    self.queue = queue
    self.publisher = publisher
  }

  /// Publishes a message there; returns when the broker has confirmed it.
  ///
  /// Any client may publish, so a message may have properties that cannot be published again. Such a one is dead-lettered without
  /// them and with a shortened body; nothing that a stranger sends may block the queue.
  public func publish(
    _ message: BrokerMessage,
    reason: String,
    exchange: String,
    routingKey: String,
    attempts: Int
  ) async throws(BrokerError) {
    func annotated(_ message: BrokerMessage, _ reason: String) -> BrokerMessage {
      DeadLetter.annotated(
        message,
        reason: reason,
        queue: queue,
        exchange: String(decoding: exchange.utf8.prefix(255), as: UTF8.self),
        routingKey: String(decoding: routingKey.utf8.prefix(255), as: UTF8.self),
        attempts: attempts
      )
    }
    do throws(BrokerError) {
      try await publish(annotated(message, reason))
    } catch  where [.invalidMessage, .messageTooLarge].contains(error.code) {
      try await publish(
        annotated(DeadLetter.reduced(message), "\(reason) (dead-lettered without its headers, body cut: \(error))")
      )
    }
  }

  private func publish(_ message: BrokerMessage) async throws(BrokerError) {
    try await publisher.publish(message, exchange: Topology.deadExchange, routingKey: Topology.deadKey(of: queue))
  }
}
