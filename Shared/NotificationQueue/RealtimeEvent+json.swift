import BelfryJSON
import NotificationModel

extension RealtimeMessage.Event {
  private enum Name: String {
    case notification, read, unread
  }

  /// Nil without what its kind needs: it is left out, and the message's others go on.
  init?(_ fields: JSONFields) throws(JSONFieldError) {
    let name = try fields.value("kind", expected: "a kind of event") { Name(rawValue: $0) }
    userId = try fields.identifier("userId")
    unread = try fields.integer("unread", in: QueueCoder.counts)
    let id = try fields.optionalValue("notificationId", expected: "an id") { NotificationID($0) }
    let seq = try fields.optionalInteger("seq", in: QueueCoder.counts)
    switch (name, id, try fields.optionalInteger("content")) {
    case (.notification, let id?, let content?): kind = .notification(id, seq: seq, content: content)
    case (.read, let id?, _): kind = .read(id)
    case (.unread, _, _): kind = .unread
    case (.notification, _, _), (.read, nil, _): return nil
    }
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("kind", name.rawValue)
      writer.field("userId", userId)
      switch kind {
      case .notification(let id, let seq, let content):
        writer.field("notificationId", id)
        writer.field("content", content)
        if let seq { writer.field("seq", seq) }
      case .read(let id): writer.field("notificationId", id)
      case .unread: break
      }
      writer.field("unread", unread)
    }
  }

  private var name: Name {
    switch kind {
    case .notification: .notification
    case .read: .read
    case .unread: .unread
    }
  }
}
