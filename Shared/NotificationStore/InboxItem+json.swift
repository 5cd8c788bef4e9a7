public import Foundation
public import JSON
public import NotificationModel

extension InboxItem {
  /// Writes `NotificationDto` of the push notification specification, with `seq`.
  ///
  /// - Parameters:
  ///   - catalogue: Names the type.
  ///   - now: What `timeAgo` counts to.
  public func write(to writer: inout JSONWriter, catalogue: Catalogue, now: Date) {
    writer.object { writer in
      writer.field("id", id.description)
      writer.field("type", type)
      writer.field("typeName", catalogue.type(.code(type))?.name ?? "Unknown")
      writer.field("title", title)
      writer.field("body", body)
      writer.nullableField("data", data)
      writer.field("isRead", readAt != nil)
      writer.nullableField("readAt", readAt?.rfc3339)
      writer.field("createdAt", createdAt.rfc3339)
      writer.nullableField("relatedEntityType", relatedEntityType)
      writer.nullableField("relatedEntityId", relatedEntityID)
      writer.field("timeAgo", TimeAgo.text(from: createdAt, to: now))
      writer.field("seq", seq)
    }
  }
}
