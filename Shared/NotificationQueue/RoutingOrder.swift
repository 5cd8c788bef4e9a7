public import Foundation
public import BelfryJSON
public import NotificationModel
public import WallClock

/// A content for some recipients, on its way to the router: the unit in which a large group's send is cut.
public struct RoutingOrder: Sendable {
  /// AMQP `type` of parts.
  public static let messageType = "belfry.part"
  /// That of parts without a time of their own: routers of every version know them.
  public static let chunkType = "belfry.chunk"

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
  /// When its request came due, if that had to wait: its notifications are of this time. Nil is the request's own.
  public var at: Date?
  /// For the inbox alone.
  public var isSilent: Bool
  /// Of a schedule's occurrence: its date, of which each person is notified once, in whatever zone.
  public var date: LocalDate?
  /// Routers of earlier versions pass it over.
  public var owner: RequestOwner

  public init(
    requestId: RequestID,
    content: NotificationContent,
    wording: Wording? = nil,
    channels: Set<Channel>?,
    recipients: [UserID],
    digestKey: String? = nil,
    throttleKey: String? = nil,
    at: Date? = nil,
    isSilent: Bool = false,
    date: LocalDate? = nil,
    owner: RequestOwner = .unknown
  ) {
    self.owner = owner
    self.at = at
    self.isSilent = isSilent
    self.date = date
    self.requestId = requestId
    self.content = content
    self.wording = wording
    self.channels = channels
    self.recipients = recipients
    self.digestKey = digestKey
    self.throttleKey = throttleKey
  }

  /// The id of what it sends to a recipient.
  public func id(for recipient: UserID) -> NotificationID {
    NotificationID(request: requestId, recipient: recipient, at: at)
  }

  /// AMQP `type` of this part.
  public var messageType: String { isChunk ? Self.chunkType : Self.messageType }

  /// Whether a router that knows neither times nor silence does the right thing with it.
  private var isChunk: Bool { at == nil && !isSilent && date == nil && !content.isTextTooLong }
}

extension RoutingOrder: QueueMessage {
  public static let versions = 1...3

  /// Version 1 is the chunk, which has no time: a router that does not know the time must not take a part that has one. Nor must one
  /// that does not know of texts that are too long take a part of version 3: it would send a notification without words.
  public var v: Int { content.isTextTooLong ? 3 : isChunk ? 1 : 2 }

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
    at = try fields.optionalValue("at", expected: "an RFC 3339 time") { Date(rfc3339: $0) }
    isSilent = try fields.optionalBoolean("silent") ?? false
    date = try fields.optionalValue("date", expected: "a date") { LocalDate($0) }
    owner = RequestOwner(try fields.optionalString("owner"))
  }

  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("v", v)
      writer.field("requestId", requestId)
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
        for recipient in recipients { writer.identifier(recipient) }
      }
      writer.optionalField("digestKey", digestKey)
      writer.optionalField("throttleKey", throttleKey)
      writer.optionalField("at", at?.rfc3339)
      if isSilent { writer.field("silent", true) }
      writer.optionalField("date", date?.description)
      writer.optionalField("owner", owner.text)
    }
  }
}
