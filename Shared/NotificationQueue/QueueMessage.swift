public import NotificationModel

/// A message between Belfry's services. Read with a decoder, written by hand: writing runs once per notification, and an
/// encoder took a third of the router's time.
public protocol QueueMessage: Decodable, Sendable {
  /// Version of the body's form.
  var v: Int { get }
  /// Writes the whole object.
  func write(to writer: inout JSONWriter)
}

extension NotificationContent {
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("type", type)
      writer.field("typeName", typeName)
      writer.field("title", title)
      writer.field("body", body)
      writer.object("data") { writer in
        for (name, value) in data { writer.dynamicField(name, value) }
      }
      writer.optionalField("relatedEntityType", relatedEntityType)
      writer.optionalField("relatedEntityId", relatedEntityId)
      writer.field("priority", priority.rawValue)
      writer.optionalField("collapseKey", collapseKey)
      writer.field("createdAt", createdAt.rfc3339)
      writer.field("expiresAt", expiresAt.rfc3339)
    }
  }
}

extension DispatchMessage: QueueMessage {
  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("v", v)
      writer.field("attempt", attempt)
      writer.optionalField("failingSince", failingSince?.rfc3339)
      writer.field("recheck", recheck)
      writer.array("contents") { writer in
        for content in contents { content.write(to: &writer) }
      }
      writer.array("deliveries") { writer in
        for delivery in deliveries { delivery.write(to: &writer) }
      }
    }
  }
}

extension DispatchMessage.Delivery {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("notificationId", notificationId.description)
      writer.field("userId", userId.description)
      writer.field("content", content)
      writer.field("badge", badge)
      writer.array("targets") { writer in
        for target in targets {
          writer.object { writer in
            writer.field("id", target.id)
            writer.field("address", target.address)
            if let platform = target.platform { writer.field("platform", platform) }
            writer.optionalField("name", target.name)
          }
        }
      }
    }
  }
}

extension RealtimeMessage: QueueMessage {
  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("v", v)
      writer.array("contents") { writer in
        for content in contents { content.write(to: &writer) }
      }
      writer.array("events") { writer in
        for event in events {
          writer.object { writer in
            writer.field("kind", event.kind.rawValue)
            writer.field("userId", event.userId.description)
            writer.optionalField("notificationId", event.notificationId?.description)
            if let content = event.content { writer.field("content", content) }
            if let seq = event.seq { writer.field("seq", seq) }
            writer.field("unread", event.unread)
          }
        }
      }
    }
  }
}

extension GroupChunk: QueueMessage {
  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("v", v)
      writer.field("requestId", requestId.description)
      writer.key("content")
      content.write(to: &writer)
      if let channels {
        writer.array("channels") { writer in
          for channel in channels.sorted(by: { $0.rawValue < $1.rawValue }) { writer.integer(channel.rawValue) }
        }
      }
      writer.array("users") { writer in
        for user in users { writer.string(user.description) }
      }
    }
  }
}
