public import JSON
public import NotificationModel

/// A content for some recipients, on its way to the router: the unit in which a large group's send is cut.
public struct RoutedPart: Sendable {
  /// AMQP `type` of parts.
  public static let messageType = "belfry.chunk"

  public var requestId: RequestID
  /// Where it is worded for each reader, that of readers of whom nothing is known.
  public var content: NotificationContent
  /// How it is worded for each reader; nil if all read the same. Routers of earlier versions pass it over.
  public var wording: Wording?
  /// The channels that it is for, those of other versions included; nil means all.
  public var channels: Set<Channel>?
  public var recipients: [UserID]
  /// What shares a digest's window with it; nil is what no key tells apart. Made of the request's whole data, of which the
  /// content may have a part.
  public var digestKey: String?
  /// What its type's throttle counts together with it; nil is what no key tells apart.
  public var throttleKey: String?

  public init(
    requestId: RequestID,
    content: NotificationContent,
    wording: Wording? = nil,
    channels: Set<Channel>?,
    recipients: [UserID],
    digestKey: String? = nil,
    throttleKey: String? = nil
  ) {
    self.requestId = requestId
    self.content = content
    self.wording = wording
    self.channels = channels
    self.recipients = recipients
    self.digestKey = digestKey
    self.throttleKey = throttleKey
  }
}

extension RoutedPart: QueueMessage {
  public var v: Int { QueueCoder.version }

  public init(_ fields: JSONFields) throws(JSONFieldError) {
    requestId = try fields.identifier("requestId")
    content = try fields.object("content") { (fields) throws(JSONFieldError) in try NotificationContent(fields) }
    wording = try fields.optionalObject("wording") { (fields) throws(JSONFieldError) in try Wording(fields) }
    let channels = try fields.elements("channels") { (code) throws(JSONFieldError) in
      guard let code = code.integer else { throw JSONFieldError("expected a channel's code") }
      return Channel(rawValue: code)
    }
    self.channels = channels.map { Set($0) }
    recipients = try fields.identifiers("users")
    digestKey = try fields.optionalString("digestKey")
    throttleKey = try fields.optionalString("throttleKey")
  }

  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("v", v)
      writer.field("requestId", requestId.description)
      writer.key("content")
      content.write(to: &writer)
      if let wording {
        writer.key("wording")
        wording.write(to: &writer)
      }
      if let channels {
        writer.array("channels") { writer in
          for channel in channels.sorted() { writer.integer(channel.rawValue) }
        }
      }
      writer.array("users") { writer in
        for recipient in recipients { writer.string(recipient.description) }
      }
      writer.optionalField("digestKey", digestKey)
      writer.optionalField("throttleKey", throttleKey)
    }
  }
}
