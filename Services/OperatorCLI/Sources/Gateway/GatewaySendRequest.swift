import JSON

/// The body of `POST /api/v1/notifications`.
struct GatewaySendRequest: Sendable {
  struct Audience: Sendable {
    var users: [String]?
    var group: String?
    /// All who have a profile.
    var isEveryone = false
    var except: [String]?
  }

  var to: Audience
  /// A code or a name.
  var type: String
  var title: String?
  var body: String?
  var data: [String: String]
  /// What it is about, where it is about anything.
  var entity: (type: String, id: String)?
  /// Nil is all.
  var channels: [String]?
  /// As in the API.
  var sendAt: String?
  var expiresAt: String?
  var collapseKey: String?
  var isSilent = false

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.object("to") { writer in
        if let users = to.users { writer.strings("users", users) }
        writer.optionalField("group", to.group)
        if to.isEveryone { writer.field("everyone", true) }
        if let except = to.except { writer.strings("except", except) }
      }
      writer.type(type)
      writer.optionalField("title", title)
      writer.optionalField("body", body)
      if !data.isEmpty { writer.data(data) }
      if let entity { writer.entity(entity) }
      if let channels { writer.strings("channels", channels) }
      writer.optionalField("sendAt", sendAt)
      writer.optionalField("expiresAt", expiresAt)
      writer.optionalField("collapseKey", collapseKey)
      if isSilent { writer.field("silent", true) }
    }
  }
}

extension JSONWriter {
  /// A field with a list of texts.
  mutating func strings(_ name: StaticString, _ values: [String]) {
    array(name) { writer in
      for value in values { writer.string(value) }
    }
  }
}
