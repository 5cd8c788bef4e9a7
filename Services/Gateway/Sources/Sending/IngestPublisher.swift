import Broker
import NotificationModel
import NotificationQueue

/// Hands what backends report to the routers; an answer of 202 stands for the broker's confirm.
struct IngestPublisher {
  let publisher: any MessagePublisher

  /// Returns once the broker has stored the message.
  ///
  /// - Parameters:
  ///   - id: Becomes the message-id.
  ///   - owner: Who may ask what became of it, and withdraw it.
  func publish(
    _ body: [UInt8],
    as kind: IngestKind,
    id: NotificationModel.RequestID,
    of owner: String? = nil
  ) async throws(BrokerError) {
    var message = kind.message(body, id: id, appID: "belfry-gateway")
    if let owner { message.owner = owner }
    try await publisher.publish(
      message,
      exchange: Topology.ingestExchange,
      routingKey: kind.routingKey
    )
  }
}
