public import BelfryJSON
public import NotificationModel
public import Rules

/// What a rule wants sent: a send request whose values wait for the recipient's locale. It is routed where it was made, or goes
/// by way of the ingest queue.
public struct NoticeRequest: Sendable, Equatable {
  /// AMQP `type`.
  public static let messageType = "belfry.notice"

  /// From the effect's id: reported again, it is the same. Its time is the notice's.
  public var requestId: RequestID
  /// Name of a type of the catalogue.
  public var type: String
  public var audience: Audience
  public var data: [String: RuleText]
  /// Names of the data's values that the event had as numbers or booleans; see ``DataLiteral``.
  public var literals: Set<String>
  public var relatedEntityType: String?
  public var relatedEntityId: String?
  /// The version of the catalogue whose rule it is; nil is a file's. Routers of earlier versions pass it over.
  public var catalogueVersion: Int?

  public init(_ notice: RuleNotice, catalogueVersion: Int? = nil) {
    self.catalogueVersion = catalogueVersion
    requestId = RequestID(time: notice.at, hashing: notice.id.bytes)
    type = notice.type
    audience =
      switch notice.audience {
      case .users(let users): .users(users.map { UserID($0) })
      case .group(let group, let except): .group(group, except: Set(except.map { UserID($0) }))
      }
    data = notice.data
    literals = notice.literals
    relatedEntityType = notice.about?.type
    relatedEntityId = notice.about?.id
  }
}

extension NoticeRequest: QueueMessage {
  public var v: Int { QueueCoder.version }

  public init(_ fields: JSONFields) throws(JSONFieldError) {
    requestId = try fields.identifier("requestId")
    type = try fields.string("type")
    audience = try fields.object("to") { (fields) throws(JSONFieldError) in
      guard let group = try fields.optionalString("group") else { return .users(try fields.identifiers("users")) }
      return .group(group, except: Set(try fields.identifiers("except")))
    }
    data = try fields.ruleTexts("data")
    literals = Set(
      try fields.elements("literals") { (name) throws(JSONFieldError) in
        guard let name = name.string else { throw JSONFieldError("expected a name") }
        return name
      } ?? []
    )
    relatedEntityType = try fields.optionalString("relatedEntityType")
    relatedEntityId = try fields.optionalString("relatedEntityId")
    catalogueVersion = try fields.optionalInteger("catalogue")
  }

  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("v", v)
      writer.field("requestId", requestId.description)
      writer.field("type", type)
      writer.object("to") { writer in
        switch audience {
        case .users(let users): Self.write(users, "users", &writer)
        case .group(let group, let except):
          writer.field("group", group)
          Self.write(except.sorted(), "except", &writer)
        case .everyone, .topic: preconditionFailure("a rule notifies users or groups")
        }
      }
      writer.field("data", data)
      if !literals.isEmpty { writer.strings("literals", literals.sorted()) }
      writer.optionalField("relatedEntityType", relatedEntityType)
      writer.optionalField("relatedEntityId", relatedEntityId)
      if let catalogueVersion { writer.field("catalogue", catalogueVersion) }
    }
  }

  private static func write(_ users: [UserID], _ name: StaticString, _ writer: inout JSONWriter) {
    writer.array(name) { writer in
      for user in users { writer.string(user.description) }
    }
  }
}
