public import Foundation
public import NotificationModel
import Postgres

/// What a notification that waited says, and what became of it meanwhile.
public struct HeldContent: Sendable {
  public var requestID: RequestID
  public var owner: RequestOwner
  public var type: Int
  public var title: String
  public var body: String
  public var data: [String: String]
  public var literals: Set<String>
  public var relatedEntityType: String?
  public var relatedEntityID: String?
  public var createdAt: Date
  public var expiresAt: Date
  /// What is stored.
  public var plan: RoutingPlan
  public var inbox: DecisionState.Inbox
  /// The user's unread count.
  public var unread: Int

  public init(
    requestID: RequestID,
    owner: RequestOwner = .unknown,
    _ content: NotificationContent,
    plan: RoutingPlan,
    inbox: DecisionState.Inbox = .unread,
    unread: Int
  ) {
    self.requestID = requestID
    self.owner = owner
    type = content.type
    title = content.title
    body = content.body
    data = content.data
    literals = content.literals
    relatedEntityType = content.relatedEntityType
    relatedEntityID = content.relatedEntityId
    createdAt = content.createdAt
    expiresAt = content.expiresAt
    self.plan = plan
    self.inbox = inbox
    self.unread = unread
  }

  public var request: NamedRequest { NamedRequest(requestID, of: owner) }

  /// What it is about; nil if it is about nothing.
  public var relatedEntity: RelatedEntity? {
    relatedEntityType.flatMap { type in relatedEntityID.flatMap { RelatedEntity(type: type, id: $0) } }
  }

  init(_ row: PostgresRow) throws(PostgresError) {
    requestID = try row.get("request_id")
    owner = RequestOwner(try row.get("request_owner"))
    type = try row.get("type")
    title = try row.get("title")
    body = try row.get("body")
    (data, literals) = try InboxItem.data(row.get("data"))
    relatedEntityType = try row.get("related_type")
    relatedEntityID = try row.get("related_id")
    createdAt = try row.get("created_at")
    expiresAt = try row.get("expires_at")
    plan = try RoutingPlan(row)
    inbox = DecisionState.Inbox(plan[.inApp], isRead: try row.get("is_read"))
    unread = try row.get("unread")
  }
}
