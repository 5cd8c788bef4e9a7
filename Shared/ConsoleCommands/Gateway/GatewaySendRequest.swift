public import BelfryJSON

/// The body of `POST /api/v1/notifications`.
public struct GatewaySendRequest: Sendable {
  public struct Audience: Sendable {
    public var users: [String]?
    public var group: String?
    /// All who have a profile.
    public var isEveryone: Bool
    /// A topic of FCM, or a condition over several.
    public var topic: String?
    public var condition: String?
    public var except: [String]?

    public init(
      users: [String]? = nil,
      group: String? = nil,
      isEveryone: Bool = false,
      topic: String? = nil,
      condition: String? = nil,
      except: [String]? = nil
    ) {
      self.users = users
      self.group = group
      self.isEveryone = isEveryone
      self.topic = topic
      self.condition = condition
      self.except = except
    }
  }

  public var to: Audience
  /// A code or a name.
  public var type: String
  public var title: String?
  public var body: String?
  public var data: [String: String]
  /// What it is about, where it is about anything.
  public var entity: (type: String, id: String)?
  /// Nil is all.
  public var channels: [String]?
  /// As in the API.
  public var sendAt: String?
  public var expiresAt: String?
  public var collapseKey: String?
  public var isSilent: Bool

  public init(
    to: Audience,
    type: String,
    title: String? = nil,
    body: String? = nil,
    data: [String: String],
    entity: (type: String, id: String)? = nil,
    channels: [String]? = nil,
    sendAt: String? = nil,
    expiresAt: String? = nil,
    collapseKey: String? = nil,
    isSilent: Bool = false
  ) {
    self.to = to
    self.type = type
    self.title = title
    self.body = body
    self.data = data
    self.entity = entity
    self.channels = channels
    self.sendAt = sendAt
    self.expiresAt = expiresAt
    self.collapseKey = collapseKey
    self.isSilent = isSilent
  }

  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.object("to") { writer in
        if let users = to.users { writer.strings("users", users) }
        writer.optionalField("group", to.group)
        if to.isEveryone { writer.field("everyone", true) }
        writer.optionalField("topic", to.topic)
        writer.optionalField("condition", to.condition)
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

/// What the bodies of several calls have.
extension JSONWriter {
  /// A field `type` with a code or a name.
  public mutating func type(_ reference: String) {
    if let code = Int(reference) { field("type", code) } else { field("type", reference) }
  }

  /// A field `data`.
  public mutating func data(_ values: [String: String]) {
    key("data")
    raw(JSONWriter.object(values))
  }

  /// The fields `relatedEntityType` and `relatedEntityId`.
  public mutating func entity(_ entity: (type: String, id: String)) {
    field("relatedEntityType", entity.type)
    field("relatedEntityId", entity.id)
  }
}
