import Foundation
public import BelfryJSON
import WallClock

/// The form in which contents travel between services and rest in queues.
extension NotificationContent {
  public init(_ fields: JSONFields) throws(JSONFieldError) {
    type = try fields.integer("type")
    typeName = try fields.string("typeName")
    category = try fields.optionalString("category")
    mail = MailHandling(
      // A stream that this version does not know goes where all mails went.
      stream: try fields.optionalString("stream").flatMap(MailStream.init(rawValue:)) ?? .transactional,
      mayUnsubscribe: try fields.optionalBoolean("mayUnsubscribe") ?? false
    )
    title = try fields.string("title")
    body = try fields.string("body")
    isTextTooLong = try fields.optionalBoolean("textTooLong") ?? false
    data = try fields.texts("data")
    literals = Set(
      try fields.elements("literals") { (name) throws(JSONFieldError) in
        guard let name = name.string else { throw JSONFieldError("expected a name") }
        return name
      } ?? []
    )
    relatedEntityType = try fields.optionalString("relatedEntityType")
    relatedEntityId = try fields.optionalString("relatedEntityId")
    priority = try fields.value("priority", expected: "normal or high") { .init(rawValue: $0) }
    collapseKey = try fields.optionalString("collapseKey")
    sound = try fields.optionalString("sound")
    isUrgent = try fields.optionalBoolean("urgent") ?? false
    isMutable = try fields.optionalBoolean("mutable") ?? false
    locale = try fields.optionalString("locale")
    createdAt = try fields.value("createdAt", expected: "an RFC 3339 time") { Date(rfc3339: $0) }
    expiresAt = try fields.value("expiresAt", expected: "an RFC 3339 time") { Date(rfc3339: $0) }
    android =
      try fields.optionalString("android").flatMap(NotificationType.AndroidForm.init(rawValue:)) ?? .notification
    analyticsLabel = try fields.optionalString("analyticsLabel")
    listing = try fields.optionalObject("listing") { (fields) throws(JSONFieldError) in try Listing(fields) }
  }

  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("type", type)
      writer.field("typeName", typeName)
      writer.optionalField("category", category)
      if mail.stream != .transactional { writer.field("stream", mail.stream.rawValue) }
      if mail.mayUnsubscribe { writer.field("mayUnsubscribe", true) }
      writer.field("title", title)
      writer.field("body", body)
      if isTextTooLong { writer.field("textTooLong", true) }
      writer.object("data") { writer in
        for (name, value) in data { writer.dynamicField(name, value) }
      }
      // Beside the data, whose values are texts to services of earlier versions.
      if !literals.isEmpty { writer.strings("literals", literals.filter { data[$0] != nil }.sorted()) }
      writer.optionalField("relatedEntityType", relatedEntityType)
      writer.optionalField("relatedEntityId", relatedEntityId)
      writer.field("priority", priority.rawValue)
      writer.optionalField("collapseKey", collapseKey)
      writer.optionalField("sound", sound)
      if isUrgent { writer.field("urgent", true) }
      if isMutable { writer.field("mutable", true) }
      writer.optionalField("locale", locale)
      writer.field("createdAt", createdAt.rfc3339)
      writer.field("expiresAt", expiresAt.rfc3339)
      if android != .notification { writer.field("android", android.rawValue) }
      writer.optionalField("analyticsLabel", analyticsLabel)
      if let listing {
        writer.key("listing")
        listing.write(to: &writer)
      }
    }
  }
}
