import NotificationModel

/// `MarkNotificationsReadDto`: which notifications to mark as read. Without a body, or without ids, it means all; a member
/// of any other name is refused, because a misspelt one would mark everything.
struct NotificationSelection: FieldReadable {
  /// Nil means all.
  let ids: [NotificationID]?

  /// In one call.
  static let maximumIDs = 1_000

  init?(_ reader: FieldReader) {
    reader.refuseUnknown(known: ["notificationIds"])
    ids = reader.identifiers("notificationIds", limit: Self.maximumIDs)
  }

  /// - Throws: ``ValidationError`` with every problem. A list that cannot be read never means all.
  static func read(from body: [UInt8]) throws(ValidationError) -> [NotificationID]? {
    body.isEmpty ? nil : try FieldReader.read(Self.self, from: body).ids
  }
}
