public import Broker
public import Foundation
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

  /// The kind of a message that a gateway accepted, or a router as a gateway would have; nil if its sender published it
  /// straight to the queue.
  public init?(acceptedAs type: String?) {
    guard let kind = [Self.request, .event].first(where: { $0.messageType == type }) else { return nil }
    self = kind
  }

  public var routingKey: String {
    switch self {
    case .request: Topology.requestKey
    case .event: Topology.eventKey
    }
  }

  /// - Parameters:
  ///   - appID: The service that accepted it, e.g. `belfry-gateway`.
  ///   - time: When it did; ``VersionSkewRetry`` counts from then.
  public func message(_ body: [UInt8], id: RequestID, appID: String, at time: Date) -> BrokerMessage {
    BrokerMessage(
      body: body,
      messageID: id.description,
      contentType: "application/json",
      type: messageType,
      appID: appID,
      timestamp: time
    )
  }
}
