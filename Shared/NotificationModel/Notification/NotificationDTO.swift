public import Foundation
public import BelfryJSON
import WallClock

/// `NotificationDto` of the push notification specification, with `seq`: what a notification is to its recipient, over REST and
/// over the hub, in JSON and in MessagePack.
///
/// Nobody else names its members: another one is a property here and a line in ``Own/members`` or ``Shared/members(now:)``. In
/// two parts, because the hub encodes what all recipients share once for all of them.
public struct NotificationDTO: Sendable {
  public var own: Own
  public var shared: Shared

  public init(own: Own, shared: Shared) {
    self.own = own
    self.shared = shared
  }

  /// - Parameter now: What `timeAgo` counts to.
  public func json(now: Date) -> JSONValue {
    .object(own.members + shared.members(now: now))
  }

  /// What differs from recipient to recipient.
  public struct Own: Sendable {
    public var id: NotificationID
    public var seq: Int?
    public var readAt: Date?
    public var seenAt: Date?
    public var openedAt: Date?
    /// Nil where it is not archived.
    public var archivedAt: Date?
    /// Nil where it is not snoozed.
    public var snoozedUntil: Date?

    public init(
      id: NotificationID,
      seq: Int?,
      readAt: Date? = nil,
      seenAt: Date? = nil,
      openedAt: Date? = nil,
      archivedAt: Date? = nil,
      snoozedUntil: Date? = nil
    ) {
      self.id = id
      self.seq = seq
      self.readAt = readAt
      self.seenAt = seenAt
      self.openedAt = openedAt
      self.archivedAt = archivedAt
      self.snoozedUntil = snoozedUntil
    }

    public var members: [JSONMember] {
      [
        JSONMember("id", id.description),
        JSONMember("seq", seq),
        JSONMember("isRead", readAt != nil),
        JSONMember("readAt", readAt?.rfc3339),
        JSONMember("seenAt", seenAt?.rfc3339),
        JSONMember("openedAt", openedAt?.rfc3339),
        JSONMember("archivedAt", archivedAt?.rfc3339),
        JSONMember("snoozedUntil", snoozedUntil?.rfc3339),
      ]
    }
  }

  /// A button, in its reader's language.
  public struct Action: Sendable, Equatable {
    public var id: String
    public var title: String

    public init(id: String, title: String) {
      self.id = id
      self.title = title
    }
  }

  /// What is the same for all recipients who read alike.
  public struct Shared: Sendable {
    public var type: Int
    public var typeName: String
    /// Heading in preferences; nil if the catalogue does not know the type.
    public var category: String?
    /// Nil if the catalogue does not know the type.
    public var priority: NotificationType.Priority?
    public var actions: [Action]
    public var title: String
    public var body: String
    public var data: [String: String]
    /// Names of the data's values that came as numbers or booleans.
    public var literals: Set<String>
    public var relatedEntityType: String?
    public var relatedEntityId: String?
    public var createdAt: Date

    /// - Parameter catalogue: Knows the type's category, priority and actions; nil: nobody does.
    public init(_ content: NotificationContent, catalogue: Catalogue?) {
      let known = catalogue?.type(.code(content.type))
      type = content.type
      typeName = content.typeName
      category = known?.category
      priority = known?.priority
      actions = catalogue?.actions(of: content.type, locale: content.locale) ?? []
      title = content.title
      body = content.body
      data = content.data
      literals = content.literals
      relatedEntityType = content.relatedEntityType
      relatedEntityId = content.relatedEntityId
      createdAt = content.createdAt
    }

    /// - Parameter now: What `timeAgo` counts to.
    public func members(now: Date) -> [JSONMember] {
      let object: JSONValue? = data.isEmpty ? nil : JSONValue(data: data, literals: literals)
      return [
        JSONMember("type", type),
        JSONMember("typeName", typeName),
        JSONMember("category", category),
        JSONMember("title", title),
        JSONMember("body", body),
        // A text that is JSON: the specification has it so.
        JSONMember("data", object.map { literals.isEmpty ? JSONWriter.text($0) : JSONWriter.object(data) }),
        JSONMember("dataObject", object ?? .null),
        JSONMember("createdAt", createdAt.rfc3339),
        JSONMember("relatedEntityType", relatedEntityType),
        JSONMember("relatedEntityId", relatedEntityId),
        JSONMember(
          "actions",
          .array(actions.map { .object([JSONMember("id", $0.id), JSONMember("title", $0.title)]) })
        ),
        JSONMember("priority", priority?.rawValue),
        JSONMember("timeAgo", TimeAgo.text(from: createdAt, to: now)),
      ]
    }
  }
}

extension Catalogue {
  /// The buttons of a type's notifications for a reader; none if the catalogue has no such type.
  ///
  /// - Parameter locale: The reader's; nil means the catalogue's default.
  public func actions(of code: Int, locale: String?) -> [NotificationDTO.Action] {
    let actions = type(.code(code))?.actions ?? []
    return actions.map { .init(id: $0.id, title: $0.title.text(locale: locale, default: defaults.locale)) }
  }
}
