public import Broker
import Foundation
public import NotificationModel

/// What backends report over the gateway: the API's own JSON, on `belfry.ingest`.
public enum IngestKind: Sendable {
  case request
  case event

  /// AMQP `type` of those whose message-id the gateway or a router has set: it is the request's id.
  public var messageType: String {
    switch self {
    case .request: "belfry.request"
    case .event: "belfry.event"
    }
  }

  public var routingKey: String {
    switch self {
    case .request: Topology.requestKey
    case .event: Topology.eventKey
    }
  }

  /// - Parameter appID: The service that accepted it, e.g. `belfry-gateway`.
  public func message(_ body: [UInt8], id: RequestID, appID: String) -> BrokerMessage {
    BrokerMessage(
      body: body,
      messageID: id.description,
      contentType: "application/json",
      type: messageType,
      appID: appID,
      timestamp: Date.now
    )
  }
}
