public import Foundation
public import NotificationModel
import Postgres

/// A notification as its recipient sees it.
public struct InboxItem: Sendable {
  public var id: NotificationID
  public var seq: Int
  public var type: Int
  public var title: String
  public var body: String
  /// JSON text of the payload for deep links.
  public var data: String?
  public var relatedEntityType: String?
  public var relatedEntityID: String?
  public var createdAt: Date
  public var readAt: Date?

  init(_ row: PostgresRow) throws(PostgresError) {
    id = try row.get("id")
    seq = try row.get("seq")
    type = try row.get("type")
    title = try row.get("title")
    body = try row.get("body")
    data = try row.get("data")
    relatedEntityType = try row.get("related_type")
    relatedEntityID = try row.get("related_id")
    createdAt = try row.get("created_at")
    readAt = try row.get("read_at")
  }
}
