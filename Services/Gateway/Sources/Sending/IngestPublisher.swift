import Broker
import Foundation
import NotificationModel
import NotificationQueue

/// Hands what backends report to the routers; an answer of 202 stands for the broker's confirm.
struct IngestPublisher {
  let publisher: any MessagePublisher
  /// By which version of the catalogue what it hands over was judged; nil is a file.
  let catalogueVersion: Int?
  let clock: @Sendable () -> Date

  /// Returns once the broker has stored the message.
  ///
  /// - Parameters:
  ///   - id: Becomes the message-id.
  ///   - owner: Who may ask what became of it, and withdraw it.
  func publish(
    _ body: [UInt8],
    as kind: IngestKind,
    id: NotificationModel.RequestID,
    of owner: RequestOwner = .unknown
  ) async throws(BrokerError) {
    var message = kind.message(body, id: id, appID: "belfry-gateway", at: clock())
    message.owner = owner
    message.catalogueVersion = catalogueVersion
    try await publisher.publish(
      message,
      exchange: Topology.ingestExchange,
      routingKey: kind.routingKey
    )
  }
}
