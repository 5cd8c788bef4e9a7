@testable import Broker

/// Does something before each message goes out, or throws instead.
struct PreparedPublisher: MessagePublisher {
  let publisher: any MessagePublisher
  let before: @Sendable (BrokerMessage) async throws(BrokerError) -> Void

  func publish(
    _ message: BrokerMessage,
    exchange: String,
    routingKey: String,
    mandatory: Bool
  ) async throws(BrokerError) {
    try await before(message)
    try await publisher.publish(message, exchange: exchange, routingKey: routingKey, mandatory: mandatory)
  }
}
