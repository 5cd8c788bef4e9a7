public import Foundation
import BelfryJSON
public import NotificationModel
import Postgres

/// A notification as its recipient sees it.
public struct InboxItem: Sendable {
  public var id: NotificationID
  public var seq: Int
  public var type: Int
  public var title: String
  public var body: String
  /// The payload for deep links.
  public var data: [String: String]
  /// Names of the data's values that came as numbers or booleans.
  public var literals: Set<String>
  public var relatedEntityType: String?
  public var relatedEntityID: String?
  public var createdAt: Date
  public var expiresAt: Date
  public var readAt: Date?
  public var seenAt: Date?
  public var openedAt: Date?
  public var archivedAt: Date?
  public var snoozedUntil: Date?

  /// What ``init(_:)`` reads, for every statement that answers items.
  static let columns = """
    id, seq, type, title, body, data, related_type, related_id, created_at, expires_at, read_at, seen_at, opened_at, \
    archived_at, snoozed_until
    """

  init(_ row: PostgresRow) throws(PostgresError) {
    id = try row.get("id")
    seq = try row.get("seq")
    type = try row.get("type")
    title = try row.get("title")
    body = try row.get("body")
    (data, literals) = try Self.data(row.get("data"))
    relatedEntityType = try row.get("related_type")
    relatedEntityID = try row.get("related_id")
    createdAt = try row.get("created_at")
    expiresAt = try row.get("expires_at")
    readAt = try row.get("read_at")
    seenAt = try row.get("seen_at")
    openedAt = try row.get("opened_at")
    archivedAt = try row.get("archived_at")
    snoozedUntil = try row.get("snoozed_until")
  }

  /// Its values and not its text: `jsonb` has an order, spaces and escapes of its own, which would differ from what was sent
  /// live.
  static func data(_ json: String?) throws(PostgresError) -> (texts: [String: String], literals: Set<String>) {
    guard let json else { return ([:], []) }
    do throws(JSONSyntaxError) {
      return try JSONParser.parse(Array(json.utf8)).data
    } catch {
      throw PostgresError.decoding("the notification's data: \(error)")
    }
  }
}
