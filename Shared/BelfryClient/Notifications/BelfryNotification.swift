public import Foundation

/// A notification as its recipient has it. Types that this version of an app does not know decode as well.
///
/// Source: `NotificationDto` of `openapi.yaml`.
public struct BelfryNotification: Sendable, Hashable, Identifiable, Codable {
  /// Later notifications have greater ids (UUID version 7).
  public let id: UUID
  /// Its number in the inbox, without gaps but for one after an erasure; nil rarely, and over the hub alone.
  public let seq: Int64?
  /// The code of its type; 0 where there was none.
  public let type: Int
  /// `Unknown` for a type that the catalogue does not have any more.
  public let typeName: String
  /// The heading in preferences; nil if the catalogue no longer has the type.
  public let category: String?
  /// In the reader's language.
  public let title: String
  /// In the reader's language.
  public let body: String
  /// A text that is JSON: an object whose values are all texts.
  public let data: String?
  /// The same as a JSON object with the numbers and booleans that were sent.
  public let dataObject: String?
  /// `normal` or `high`; nil if the catalogue no longer has the type.
  public let priority: String?
  /// When it was stored.
  public let createdAt: Date
  /// How long ago that was when the server wrote it, such as `5 minutes ago`; over the hub always `Just now`.
  public let timeAgo: String
  /// What kind of thing it is about, such as `Transaction`; nil where the send did not say it.
  public let relatedEntityType: String?
  /// Which one of that kind.
  public let relatedEntityId: String?
  /// Its type's buttons, in their order.
  public let actions: [BelfryAction]
  /// Whether the user has read it, on whatever device.
  public internal(set) var isRead: Bool
  /// When it was read; nil while it is unread.
  public internal(set) var readAt: Date?
  /// When it was in a list on a screen; nil until then.
  public internal(set) var seenAt: Date?
  /// When the user opened it; nil until then.
  public internal(set) var openedAt: Date?
  /// When it was archived; nil for what is not.
  public internal(set) var archivedAt: Date?
  /// When it comes back into the inbox; nil for what is not snoozed.
  public internal(set) var snoozedUntil: Date?

  /// For previews, tests and caches: the server makes those that count.
  public init(
    id: UUID,
    seq: Int64?,
    type: Int,
    typeName: String,
    category: String? = nil,
    title: String,
    body: String,
    data: String? = nil,
    dataObject: String? = nil,
    priority: String? = nil,
    createdAt: Date,
    timeAgo: String = "",
    relatedEntity: RelatedEntity? = nil,
    actions: [BelfryAction] = [],
    isRead: Bool = false,
    readAt: Date? = nil,
    seenAt: Date? = nil,
    openedAt: Date? = nil,
    archivedAt: Date? = nil,
    snoozedUntil: Date? = nil
  ) {
    self.id = id
    self.seq = seq
    self.type = type
    self.typeName = typeName
    self.category = category
    self.title = title
    self.body = body
    self.data = data
    self.dataObject = dataObject
    self.priority = priority
    self.createdAt = createdAt
    self.timeAgo = timeAgo
    relatedEntityType = relatedEntity?.type
    relatedEntityId = relatedEntity?.id
    self.actions = actions
    self.isRead = isRead
    self.readAt = readAt
    self.seenAt = seenAt
    self.openedAt = openedAt
    self.archivedAt = archivedAt
    self.snoozedUntil = snoozedUntil
  }

  /// What it is about; nil where the send did not say it.
  public var relatedEntity: RelatedEntity? {
    guard let relatedEntityType, let relatedEntityId else { return nil }
    return RelatedEntity(type: relatedEntityType, id: relatedEntityId)
  }

  /// In which list it is.
  public var place: NotificationPlace {
    archivedAt != nil ? .archived : snoozedUntil != nil ? .snoozed : .inbox
  }

  /// Whether the unread count counts it.
  public var isUnread: Bool { !isRead && place == .inbox }

  /// What was sent with it, as a type of the app's. Numbers and booleans are what the sender wrote.
  ///
  /// - Throws: `DecodingError`, also where nothing was sent.
  public func payload<Payload: Decodable>(as type: Payload.Type, decoder: JSONDecoder = JSONDecoder()) throws -> Payload
  {
    try decoder.decode(type, from: Data((dataObject ?? data ?? "null").utf8))
  }

  /// The same with some members changed.
  func with(_ change: (inout BelfryNotification) -> Void) -> BelfryNotification {
    var copy = self
    change(&copy)
    return copy
  }
}

/// A button of a notification.
public struct BelfryAction: Sendable, Hashable, Identifiable, Codable {
  /// As the catalogue names it: `VIEW_GOALS`.
  public let id: String
  /// In the reader's language.
  public let title: String

  /// As the catalogue has it.
  public init(id: String, title: String) {
    self.id = id
    self.title = title
  }
}

/// What a notification is about, as its sender names it.
public struct RelatedEntity: Sendable, Hashable, Codable {
  /// Such as `Transaction`.
  public let type: String
  /// Which one of that kind.
  public let id: String

  /// As the sender names it.
  public init(type: String, id: String) {
    self.type = type
    self.id = id
  }
}

/// Where a notification is.
public enum NotificationPlace: String, Sendable, Hashable, Codable, CaseIterable {
  /// A list of its own: what is in one is in no other.
  case inbox, archived, snoozed
}
