public import Foundation

/// A notification as its recipient has it. Types that this version of an app does not know decode as well.
///
/// Source: `NotificationDto` of `openapi.yaml`.
public struct BelfryNotification: Sendable, Hashable, Identifiable {
  /// What it says, which never changes: copies share it, and letting go of a long list is quick.
  let content: Shared<NotificationContent>
  /// How far the user is with it.
  var progress: NotificationProgress

  /// Later notifications have greater ids (UUID version 7).
  public var id: UUID { content.value.id }
  /// Its number in the inbox, without gaps but for one after an erasure; nil rarely, and over the hub alone.
  public var seq: Int64? { content.value.seq }
  /// The code of its type; 0 where there was none.
  public var type: Int { content.value.type }
  /// `Unknown` for a type that the catalogue does not have any more.
  public var typeName: String { content.value.typeName }
  /// The heading in preferences; nil if the catalogue no longer has the type.
  public var category: String? { content.value.category }
  /// In the reader's language.
  public var title: String { content.value.title }
  /// In the reader's language.
  public var body: String { content.value.body }
  /// A text that is JSON: an object whose values are all texts.
  public var data: String? { content.value.data }
  /// The same as a JSON object with the numbers and booleans that were sent.
  public var dataObject: String? { content.value.dataObject }
  /// `normal` or `high`; nil if the catalogue no longer has the type.
  public var priority: String? { content.value.priority }
  /// When it was stored.
  public var createdAt: Date { content.value.createdAt }
  /// How long ago that was when the server wrote it, such as `5 minutes ago`; over the hub always `Just now`.
  public var timeAgo: String { content.value.timeAgo }
  /// What kind of thing it is about, such as `Transaction`; nil where the send did not say it.
  public var relatedEntityType: String? { content.value.relatedEntityType }
  /// Which one of that kind.
  public var relatedEntityId: String? { content.value.relatedEntityId }
  /// Its type's buttons, in their order.
  public var actions: [BelfryAction] { content.value.actions }
  /// Whether the user has read it, on whatever device.
  public var isRead: Bool { progress.isRead }
  /// When it was read; nil while it is unread.
  public var readAt: Date? { progress.readAt }
  /// When it was in a list on a screen; nil until then.
  public var seenAt: Date? { progress.seenAt }
  /// When the user opened it; nil until then.
  public var openedAt: Date? { progress.openedAt }
  /// When it was archived; nil for what is not.
  public var archivedAt: Date? { progress.archivedAt }
  /// When it comes back into the inbox; nil for what is not snoozed.
  public var snoozedUntil: Date? { progress.snoozedUntil }

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
    content = Shared(
      NotificationContent(
        id: id,
        seq: seq,
        type: type,
        typeName: typeName,
        category: category,
        title: title,
        body: body,
        data: data,
        dataObject: dataObject,
        priority: priority,
        createdAt: createdAt,
        timeAgo: timeAgo,
        relatedEntityType: relatedEntity?.type,
        relatedEntityId: relatedEntity?.id,
        actions: actions
      )
    )
    progress = NotificationProgress(
      isRead: isRead,
      readAt: readAt,
      seenAt: seenAt,
      openedAt: openedAt,
      archivedAt: archivedAt,
      snoozedUntil: snoozedUntil
    )
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

  /// The same with some of its progress changed.
  func with(_ change: (inout NotificationProgress) -> Void) -> BelfryNotification {
    var copy = self
    change(&copy.progress)
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
