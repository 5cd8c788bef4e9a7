import NotificationModel

/// `MarkNotificationsReadDto`: which notifications to mark as read. Without a body, or without ids, it means all.
struct MarkNotificationsRead: FieldReadable {
  /// Nil means all.
  let ids: [NotificationID]?

  private static let maximumIDs = 1_000

  init?(_ reader: FieldReader) {
    ids = reader.identifiers("ids", limit: Self.maximumIDs)
  }

  /// - Throws: ``ValidationError`` with every problem. A list that cannot be read never means all.
  static func read(from body: [UInt8]) throws(ValidationError) -> [NotificationID]? {
    body.isEmpty ? nil : try FieldReader.read(Self.self, from: body).ids
  }
}
