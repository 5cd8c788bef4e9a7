import Foundation

/// What a notification says, as ``BelfryNotification`` explains it.
struct NotificationContent: Sendable, Hashable, Codable {
  let id: UUID
  let seq: Int64?
  let type: Int
  let typeName: String
  let category: String?
  let title: String
  let body: String
  let data: String?
  let dataObject: String?
  let priority: String?
  let createdAt: Date
  let timeAgo: String
  let relatedEntityType: String?
  let relatedEntityId: String?
  let actions: [BelfryAction]
}

/// How far its recipient is with a notification.
struct NotificationProgress: Sendable, Hashable, Codable {
  var isRead: Bool
  var readAt: Date?
  var seenAt: Date?
  var openedAt: Date?
  var archivedAt: Date?
  var snoozedUntil: Date?
}

/// One value for all copies of what has it.
final class Shared<Value: Sendable & Hashable>: Sendable, Hashable {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }

  static func == (left: Shared, right: Shared) -> Bool { left === right || left.value == right.value }

  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension BelfryNotification: Codable {
  /// Reads what ``encode(to:)`` wrote: an object with the members of this type.
  public init(from decoder: any Decoder) throws {
    content = Shared(try NotificationContent(from: decoder))
    progress = try NotificationProgress(from: decoder)
  }

  /// Writes an object with the members of this type.
  public func encode(to encoder: any Encoder) throws {
    try content.value.encode(to: encoder)
    try progress.encode(to: encoder)
  }
}
