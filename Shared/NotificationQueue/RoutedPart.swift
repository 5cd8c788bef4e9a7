public import Foundation
public import JSON
public import NotificationModel
import WallClock

/// A content for some recipients, on its way to the router: the unit in which a large group's send is cut, and in which what
/// was held or scheduled comes back when it is due.
public struct RoutedPart: Sendable {
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
  /// When it was due, if it had to wait: what is stored as held is then decided afresh. Nil is at once.
  public var due: Date?

  public init(
    requestId: RequestID,
    content: NotificationContent,
    wording: Wording? = nil,
    channels: Set<Channel>?,
    recipients: [UserID],
    due: Date? = nil
  ) {
    self.requestId = requestId
    self.content = content
    self.wording = wording
    self.channels = channels
    self.recipients = recipients
    self.due = due
  }

  /// Whether what is held on a channel comes due with this part.
  public func isDue(on channel: Channel) -> Bool { due != nil && channels?.contains(channel) ?? true }

  /// Whether this part asks of a recipient whom both name nothing that the other does not: it is a copy, redelivered or
  /// published again. A part that is due is none of the send that was held, nor of what is due at another time or on other
  /// channels.
  public func repeats(_ other: RoutedPart) -> Bool {
    requestId == other.requestId && due == other.due && (due == nil || channels == other.channels)
  }

  /// AMQP `type` of this part.
  public var messageType: String { due == nil ? Self.chunkType : Self.messageType }
}

extension RoutedPart: QueueMessage {
  public static let versions = 1...2

  /// Version 1 is the chunk, which has no time: a router that does not know the time must not take a part that has one.
  public var v: Int { due == nil ? 1 : 2 }

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
    due = try fields.optionalValue("due", expected: "an RFC 3339 time") { Date(rfc3339: $0) }
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
      writer.optionalField("due", due?.rfc3339)
    }
  }
}
