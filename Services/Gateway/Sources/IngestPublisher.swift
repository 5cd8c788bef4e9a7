import Broker
import Foundation
import NotificationModel
import NotificationQueue

/// Hands what backends report to the routers; an answer of 202 stands for the broker's confirm.
struct IngestPublisher {
  let publisher: any MessagePublisher

  /// Returns once the broker has stored the message.
  ///
  /// - Parameters:
  ///   - id: Becomes the message-id.
  ///   - key: Routing key: what kind of body it is.
  func publish(
    _ body: [UInt8],
    id: NotificationModel.RequestID,
    type: String,
    key: String
  ) async throws(BrokerError) {
    try await publisher.publish(
      BrokerMessage(
        body: body,
        messageID: id.description,
        contentType: "application/json",
        type: type,
        appID: "belfry-gateway",
        timestamp: Date.now
      ),
      exchange: Topology.ingestExchange,
      routingKey: key
    )
  }
}
