public import Foundation
public import NotificationModel
public import Postgres

/// Reads and marks a user's notification centre.
public struct InboxStore: Sendable {
  /// A user's counters.
  public struct Counts: Sendable, Equatable {
    public var unread: Int
    public var total: Int

    public init(unread: Int, total: Int) {
      self.unread = unread
      self.total = total
    }
  }

  /// Which notifications a page shows, newest first.
  public struct Filter: Sendable {
    public var unreadOnly: Bool
    public var type: Int?
    /// Keyset paging: only what is older than this.
    public var before: NotificationID?

    public init(unreadOnly: Bool = false, type: Int? = nil, before: NotificationID? = nil) {
      self.unreadOnly = unreadOnly
      self.type = type
      self.before = before
    }
  }

  /// One page.
  public struct Page: Sendable {
    public var items: [InboxItem]
    public var counts: Counts
    /// How many match the filter; the inbox's counter where nothing but `unreadOnly` filters.
    public var matching: Int
    public var hasMore: Bool
  }

  private let client: PostgresClient

  public init(client: PostgresClient) {
    self.client = client
  }

  /// A user's unread and total counts: one primary-key read. Zero for a user without an inbox.
  public func counts(of user: UserID) async throws(PostgresError) -> Counts {
    let rows = try await client.query(Self.counts(of: user))
    guard let row = rows.first else { return Counts(unread: 0, total: 0) }
    return Counts(unread: try row.get(0), total: try row.get(1))
  }

  /// A page of a user's notifications; reads go along the primary key.
  public func page(
    of user: UserID,
    filter: Filter,
    offset: Int,
    limit: Int
  ) async throws(PostgresError) -> Page {
    let type = filter.type.map { Int16(clamping: $0) }
    async let rows = client.query(Self.items(of: user, filter: filter, offset: offset, limit: limit + 1))
    async let counts = counts(of: user)
    async let matching = type == nil ? nil : count(of: user, type: type, unreadOnly: filter.unreadOnly)
    do {
      var found: [InboxItem] = []
      for row in try await rows { found.append(try InboxItem(row)) }
      let known = try await counts
      return Page(
        items: Array(found.prefix(limit)),
        counts: known,
        matching: try await matching ?? (filter.unreadOnly ? known.unread : known.total),
        hasMore: found.count > limit
      )
    } catch let error as PostgresError {
      throw error
    } catch {
      preconditionFailure("only PostgresError is thrown here: \(error)")
    }
  }

  /// One notification; nil if the user has none with that id.
  public func item(_ id: NotificationID, of user: UserID) async throws(PostgresError) -> InboxItem? {
    let rows = try await client.query(
      """
      SELECT id, seq, type, title, body, data, related_type, related_id, created_at, read_at
      FROM notifications WHERE user_id = \(user) AND id = \(id) AND in_app = 0
      """
    )
    guard let row = rows.first else { return nil }
    return try InboxItem(row)
  }

  /// Marks one notification as read; a second call changes nothing. Locks the inbox first, as everything does that changes
  /// both: so nobody deadlocks.
  ///
  /// - Returns: The notification, whether this call marked it, and the unread count now; nil if there is none with that id.
  public func markRead(
    _ id: NotificationID,
    of user: UserID,
    at now: Date
  ) async throws(PostgresError) -> (item: InboxItem, isChanged: Bool, unread: Int)? {
    // The last statement sees what a concurrent caller did while the first waited for it.
    let results = try await client.transaction([
      "SELECT 1 FROM inbox WHERE user_id = \(user) FOR UPDATE",
      """
      WITH marked AS (
        UPDATE notifications SET read_at = \(now)
        WHERE user_id = \(user) AND id = \(id) AND in_app = 0 AND read_at IS NULL
        RETURNING 1
      )
      UPDATE inbox SET unread = greatest(0, unread - 1) WHERE user_id = \(user) AND EXISTS (SELECT FROM marked)
      """,
      """
      SELECT id, seq, type, title, body, data, related_type, related_id, created_at, read_at,
        (SELECT unread FROM inbox WHERE user_id = \(user)) AS unread
      FROM notifications WHERE user_id = \(user) AND id = \(id) AND in_app = 0
      """,
    ])
    guard let row = results[2].first else { return nil }
    return (try InboxItem(row), results[1].affectedRows > 0, try row.get("unread"))
  }

  private func count(of user: UserID, type: Int16?, unreadOnly: Bool) async throws(PostgresError) -> Int? {
    let rows = try await client.query(
      """
      SELECT count(*) FROM notifications
      WHERE user_id = \(user) AND in_app = 0 AND type = \(type) AND (NOT \(unreadOnly) OR read_at IS NULL)
      """
    )
    return try rows.first?.get(0)
  }

  static func counts(of user: UserID) -> SQLQuery {
    "SELECT unread, total FROM inbox WHERE user_id = \(user)"
  }

  static func items(of user: UserID, filter: Filter, offset: Int, limit: Int) -> SQLQuery {
    let type = filter.type.map { Int16(clamping: $0) }
    return """
      SELECT id, seq, type, title, body, data, related_type, related_id, created_at, read_at
      FROM notifications
      WHERE user_id = \(user) AND in_app = 0 AND id < coalesce(\(filter.before), \(last))
        AND (\(type) IS NULL OR type = \(type)) AND (NOT \(filter.unreadOnly) OR read_at IS NULL)
      ORDER BY id DESC OFFSET \(offset) LIMIT \(limit)
      """
  }

  /// Greater than every UUIDv7.
  private static let last = NotificationID(
    UUID(uuid: (255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255))
  )
}
