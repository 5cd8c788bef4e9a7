import JSON
import NIOCore
import NotificationModel
import NotificationQueue
import SignalRProtocol

/// Turns the events of one realtime message into frames: each event once, and what events share only once for all.
struct RealtimeEncoder {
  private let contents: [NotificationContent]
  /// The members of `NotificationDto` that don't depend on the recipient, as far as they were needed.
  private var shared: [[UInt8]?]

  init(contents: [NotificationContent]) {
    self.contents = contents
    shared = Array(repeating: nil, count: contents.count)
  }

  /// The event's hub messages, one WebSocket frame each, in one buffer; nil when the event lacks what its kind needs.
  mutating func frame(for event: RealtimeMessage.Event) -> ByteBuffer? {
    var buffer = ByteBuffer()
    switch event.kind {
    case .notification:
      guard let id = event.notificationId, let content = event.content, contents.indices.contains(content) else {
        return nil
      }
      WebSocketText.append(received(id: id, seq: event.seq, content: content), to: &buffer)
    case .read:
      guard let id = event.notificationId else { return nil }
      var writer = Self.invocation("NotificationRead")
      writer.string(id.description)
      WebSocketText.append(Self.ended(writer), to: &buffer)
    case .unread:
      break
    }
    var writer = Self.invocation("UnreadCountChanged")
    writer.integer(event.unread)
    WebSocketText.append(Self.ended(writer), to: &buffer)
    return buffer
  }

  private mutating func received(id: NotificationID, seq: Int?, content: Int) -> [UInt8] {
    let members = shared[content] ?? Self.members(of: contents[content])
    shared[content] = members
    var writer = Self.invocation("ReceiveNotification", capacity: members.count + 160)
    writer.raw(#"{"id":"#)
    writer.string(id.description)
    writer.raw(#","seq":"#)
    if let seq { writer.integer(seq) } else { writer.raw("null") }
    writer.raw(members)
    writer.raw("}")
    return Self.ended(writer)
  }

  /// `NotificationDto` without id and seq, each member after a comma.
  private static func members(of content: NotificationContent) -> [UInt8] {
    var writer = HubJSONWriter(capacity: 512)
    writer.raw(#","type":"#)
    writer.integer(content.type)
    writer.raw(#","typeName":"#)
    writer.string(content.typeName)
    writer.raw(#","title":"#)
    writer.string(content.title)
    writer.raw(#","body":"#)
    writer.string(content.body)
    writer.raw(#","data":"#)
    writer.stringOrNull(content.data.isEmpty ? nil : JSONWriter.object(content.data))
    writer.raw(#","isRead":false,"readAt":null,"createdAt":"#)
    writer.string(content.createdAt.rfc3339)
    writer.raw(#","relatedEntityType":"#)
    writer.stringOrNull(content.relatedEntityType)
    writer.raw(#","relatedEntityId":"#)
    writer.stringOrNull(content.relatedEntityId)
    writer.raw(#","timeAgo":"Just now""#)
    return writer.bytes
  }

  private static func invocation(_ target: StaticString, capacity: Int = 128) -> HubJSONWriter {
    var writer = HubJSONWriter(capacity: capacity)
    writer.raw(#"{"type":1,"target":""#)
    writer.raw(target)
    writer.raw(#"","arguments":["#)
    return writer
  }

  private static func ended(_ writer: HubJSONWriter) -> [UInt8] {
    var writer = writer
    writer.raw("]}\u{1E}")
    return writer.bytes
  }
}
