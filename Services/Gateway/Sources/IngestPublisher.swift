import Broker
import NotificationModel
import NotificationQueue

/// Hands what backends report to the routers; an answer of 202 stands for the broker's confirm.
struct IngestPublisher {
  let publisher: any MessagePublisher

  /// Returns once the broker has stored the message.
  ///
  /// - Parameter id: Becomes the message-id.
  func publish(
    _ body: [UInt8],
    as kind: IngestKind,
    id: NotificationModel.RequestID
  ) async throws(BrokerError) {
    try await publisher.publish(
      kind.message(body, id: id, appID: "belfry-gateway"),
      exchange: Topology.ingestExchange,
      routingKey: kind.routingKey
    )
  }
}
