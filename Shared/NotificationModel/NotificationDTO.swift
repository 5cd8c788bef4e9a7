public import Foundation
public import JSON
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

    public init(id: NotificationID, seq: Int?, readAt: Date? = nil) {
      self.id = id
      self.seq = seq
      self.readAt = readAt
    }

    public var members: [JSONMember] {
      [
        JSONMember("id", id.description),
        JSONMember("seq", seq),
        JSONMember("isRead", readAt != nil),
        JSONMember("readAt", readAt?.rfc3339),
      ]
    }
  }

  /// What all recipients are told alike.
  public struct Shared: Sendable {
    public var type: Int
    public var typeName: String
    public var title: String
    public var body: String
    public var data: [String: String]
    public var relatedEntityType: String?
    public var relatedEntityId: String?
    public var createdAt: Date

    public init(
      type: Int,
      typeName: String,
      title: String,
      body: String,
      data: [String: String],
      relatedEntityType: String?,
      relatedEntityId: String?,
      createdAt: Date
    ) {
      self.type = type
      self.typeName = typeName
      self.title = title
      self.body = body
      self.data = data
      self.relatedEntityType = relatedEntityType
      self.relatedEntityId = relatedEntityId
      self.createdAt = createdAt
    }

    /// - Parameter now: What `timeAgo` counts to.
    public func members(now: Date) -> [JSONMember] {
      [
        JSONMember("type", type),
        JSONMember("typeName", typeName),
        JSONMember("title", title),
        JSONMember("body", body),
        // A text that is JSON: the specification has it so.
        JSONMember("data", data.isEmpty ? nil : JSONWriter.object(data)),
        JSONMember("createdAt", createdAt.rfc3339),
        JSONMember("relatedEntityType", relatedEntityType),
        JSONMember("relatedEntityId", relatedEntityId),
        JSONMember("timeAgo", TimeAgo.text(from: createdAt, to: now)),
      ]
    }
  }
}

extension NotificationDTO.Shared {
  public init(_ content: NotificationContent) {
    self.init(
      type: content.type,
      typeName: content.typeName,
      title: content.title,
      body: content.body,
      data: content.data,
      relatedEntityType: content.relatedEntityType,
      relatedEntityId: content.relatedEntityId,
      createdAt: content.createdAt
    )
  }
}
