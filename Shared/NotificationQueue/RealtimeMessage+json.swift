import Foundation
public import BelfryJSON
import NotificationModel

extension RealtimeMessage: QueueMessage {
  public init(_ fields: JSONFields) throws(JSONFieldError) {
    contents = try fields.contents()
    events = try fields.objects("events") { (event) throws(JSONFieldError) in try Event(event) }.compactMap(\.self)
    relays = try fields.elements("relays") { (relay) throws(JSONFieldError) in try Relay(relay) } ?? []
    changes = (try fields.elements("changes") { (change) throws(JSONFieldError) in try Change(change) } ?? [])
      .compactMap(\.self)
  }

  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("v", v)
      writer.array("contents") { writer in
        for content in contents { content.write(to: &writer) }
      }
      writer.array("events") { writer in
        for event in events { event.write(to: &writer) }
      }
      if !relays.isEmpty {
        writer.array("relays") { writer in
          for relay in relays { relay.write(to: &writer) }
        }
      }
      if !changes.isEmpty {
        writer.array("changes") { writer in
          for change in changes { change.write(to: &writer) }
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
    arguments = try fields.names("arguments")
    amounts = try fields.names("amounts")
    userIds = try UserID.unpacked(fields.string("users"))
  }

  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("name", name)
      writer.key("payload")
      writer.value(payload)
      for (field, names) in [("arguments", arguments), ("amounts", amounts)] as [(StaticString, [String])]
      where !names.isEmpty {
        writer.array(field) { writer in
          for name in names { writer.string(name) }
        }
      }
      writer.field("users", UserID.packed(userIds))
    }
  }
}

extension JSONFields {
  /// A list of strings; empty if absent.
  fileprivate func names(_ field: String) throws(JSONFieldError) -> [String] {
    try elements(field) { (name) throws(JSONFieldError) in
      guard let name = name.string else { throw JSONFieldError("expected a string") }
      return name
    } ?? []
  }
}

/// Ten thousand users in one text: base64 (RFC 4648, section 4) of their 16 bytes each. A list of their UUIDs would be twice as
/// long, and reading it took more time than all else that a node does before it begins to write.
extension Identifier {
  fileprivate static func packed(_ identifiers: [Self]) -> String {
    var bytes = Data(capacity: identifiers.count * MemoryLayout<uuid_t>.size)
    for identifier in identifiers { withUnsafeBytes(of: identifier.uuid.uuid) { bytes.append(contentsOf: $0) } }
    return bytes.base64EncodedString()
  }

  fileprivate static func unpacked(_ text: String) throws(JSONFieldError) -> [Self] {
    let size = MemoryLayout<uuid_t>.size
    guard let bytes = Data(base64Encoded: text), bytes.count.isMultiple(of: size) else {
      throw JSONFieldError("expected base64 of \(size) bytes for each user", at: "users")
    }
    return bytes.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count, by: size).map { start in
        Self(UUID(uuid: bytes.loadUnaligned(fromByteOffset: start, as: uuid_t.self)))
      }
    }
  }
}
