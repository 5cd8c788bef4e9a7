public import Foundation

/// A message as it is published or delivered: the body and the AMQP properties Belfry uses.
public struct BrokerMessage: Sendable, Hashable {
  public var body: [UInt8]
  /// At most 255 bytes of UTF-8, as every other text property.
  public var messageID: String?
  public var contentType: String?
  public var type: String?
  public var appID: String?
  public var correlationID: String?
  /// Whole seconds: the protocol carries no fraction.
  public var timestamp: Date?
  /// Written to disk before it is confirmed, if the queue is durable.
  public var isPersistent: Bool
  /// After this long in a queue the broker drops or dead-letters it. Milliseconds on the wire.
  public var expiration: Duration?
  public var headers: [String: BrokerValue]

  public init(
    body: [UInt8],
    messageID: String? = nil,
    contentType: String? = nil,
    type: String? = nil,
    appID: String? = nil,
    correlationID: String? = nil,
    timestamp: Date? = nil,
    isPersistent: Bool = true,
    expiration: Duration? = nil,
    headers: [String: BrokerValue] = [:]
  ) {
    self.body = body
    self.messageID = messageID
    self.contentType = contentType
    self.type = type
    self.appID = appID
    self.correlationID = correlationID
    self.timestamp = timestamp
    self.isPersistent = isPersistent
    self.expiration = expiration
    self.headers = headers
  }
}
