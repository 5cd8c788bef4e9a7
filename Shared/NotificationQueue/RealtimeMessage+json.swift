public import JSON
import NotificationModel

extension RealtimeMessage: QueueMessage {
  public init(_ fields: JSONFields) throws(JSONFieldError) {
    contents = try fields.contents()
    events = try fields.objects("events") { (fields) throws(JSONFieldError) in
      Event(
        kind: try fields.value("kind", expected: "a kind of event") { Kind(rawValue: $0) },
        userId: try fields.identifier("userId"),
        notificationId: try fields.optionalValue("notificationId", expected: "a UUID") { NotificationID($0) },
        content: try fields.optionalInteger("content"),
        seq: try fields.optionalInteger("seq"),
        unread: try fields.integer("unread")
      )
    }
    relays = try fields.elements("relays") { (relay) throws(JSONFieldError) in try Relay(relay) } ?? []
  }

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
      if !relays.isEmpty {
        writer.array("relays") { writer in
          for relay in relays { relay.write(to: &writer) }
        }
      }
    }
  }
}

extension RealtimeMessage.Relay {
  fileprivate init(_ json: JSONValue) throws(JSONFieldError) {
    let fields = try JSONFields(json)
    name = try fields.string("name")
    guard let payload = json["payload"], payload.members != nil else {
      throw JSONFieldError("expected an object", at: "payload")
    }
    self.payload = payload
    arguments =
      try fields.elements("arguments") { (name) throws(JSONFieldError) in
        guard let name = name.string else { throw JSONFieldError("expected a string") }
        return name
      } ?? []
    userIds = try fields.identifiers("userIds")
  }

  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("name", name)
      writer.key("payload")
      writer.value(payload)
      if !arguments.isEmpty {
        writer.array("arguments") { writer in
          for argument in arguments { writer.string(argument) }
        }
      }
      writer.array("userIds") { writer in
        for user in userIds { writer.string(user.description) }
      }
    }
  }
}
