import JSON

/// The body of `POST /api/v1/notifications`, as far as this tool fills it.
struct GatewaySendRequest: Sendable {
  struct Audience: Sendable {
    var users: [String]?
    var group: String?
    var except: [String]?
  }

  var to: Audience
  /// A code or a name.
  var type: String
  var title: String?
  var body: String?
  var data: [String: String]

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.object("to") { writer in
        if let users = to.users { writer.strings("users", users) }
        writer.optionalField("group", to.group)
        if let except = to.except { writer.strings("except", except) }
      }
      writer.type(type)
      writer.optionalField("title", title)
      writer.optionalField("body", body)
      if !data.isEmpty { writer.data(data) }
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
