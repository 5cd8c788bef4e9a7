import Foundation
public import NotificationModel
public import Postgres

/// Reads and marks a user's notification centre.
public struct InboxStore: Sendable {
  /// A user's counters.
  public struct Counts: Sendable, Equatable {
    public var unread: Int
    public var total: Int
    /// Those of the unread ones that were not seen either.
    public var unseen: Int

    /// - Parameter unseen: All that are unread, unless said.
    public init(unread: Int, total: Int, unseen: Int? = nil) {
      self.unread = unread
      self.total = total
      self.unseen = unseen ?? unread
    }
  }

  /// Where a notification is.
  public enum Place: Sendable {
    case inbox
    case archive
    /// Until it comes back.
    case snoozed

    var state: InboxState {
      switch self {
      case .inbox: .inbox
      case .archive: .archived
      case .snoozed: .snoozed
      }
    }
  }

  /// Which notifications a page shows, newest first.
  public struct Filter: Sendable {
    public var place: Place
    public var unreadOnly: Bool
    /// Codes; nil is every type.
    public var types: [Int]?
    /// Keyset paging: only what is older than this.
    public var before: NotificationID?

    public init(
      place: Place = .inbox,
      unreadOnly: Bool = false,
      types: [Int]? = nil,
      before: NotificationID? = nil
    ) {
      self.place = place
      self.unreadOnly = unreadOnly
      self.types = types
      self.before = before
    }

    /// Whether the inbox's counters say how many match.
    fileprivate var isCounted: Bool { place == .inbox && types == nil }

    fileprivate var codes: [Int16]? { types?.map { Int16(clamping: $0) } }
  }

  /// One page.
  public struct Page: Sendable {
    public var items: [InboxItem]
    public var counts: Counts
    /// How many match the filter; the inbox's counter where nothing but `unreadOnly` filters. Otherwise of the user's latest
    /// ``InboxStore/counted``, and no fewer than the page shows that there are.
    public var matching: Int
    public var hasMore: Bool
  }

  /// What came into a user's inbox after a `seq`.
  public struct Newcomers: Sendable {
    /// By ascending `seq`.
    public var items: [InboxItem]
    /// Whether there are more than were asked for.
    public var hasMore: Bool
    /// The inbox's latest `seq`; 0 for a user without an inbox.
    public var seq: Int
    public var unread: Int
  }

  let client: PostgresClient
  /// Notifications of a user that are looked at to count what matches a filter: some ten milliseconds of the database's time.
  var counted = 10_000

  public init(client: PostgresClient) {
    self.client = client
  }

  /// A user's counts: one primary-key read. Zero for a user without an inbox.
  public func counts(of user: UserID) async throws(PostgresError) -> Counts {
    let rows = try await client.query(Self.counts(of: user))
    guard let row = rows.first else { return Counts(unread: 0, total: 0) }
    return try Counts(row)
  }

  /// The language of a user's buttons: one primary-key read, and none where the catalogue has each button in one language.
  public func locale(of user: UserID, catalogue: Catalogue) async throws(PostgresError) -> String? {
    guard catalogue.hasLocalizedActions else { return nil }
    return try await client.query("SELECT locale FROM users WHERE user_id = \(user)").first?.get(0)
  }

  /// The last `seq` of each user's inbox, zero for those without one: one primary-key read each.
  public func seqs(of users: [UserID]) async throws(PostgresError) -> [UserID: Int] {
    let read: SQLQuery = """
      SELECT u.user_id, b.seq
      FROM unnest(\(users)) AS u(user_id)
        CROSS JOIN LATERAL (SELECT seq FROM inbox WHERE user_id = u.user_id OFFSET 0) b
      """
    let rows = try await client.query(read, planned: .alongIndexes)
    var seqs = Dictionary(uniqueKeysWithValues: users.map { ($0, 0) })
    for row in rows { seqs[try row.get(0)] = try row.get(1) }
    return seqs
  }

  /// A page of a user's notifications; reads go along the primary key.
  public func page(
    of user: UserID,
    filter: Filter,
    offset: Int,
    limit: Int
  ) async throws(PostgresError) -> Page {
    async let rows = client.query(Self.items(of: user, filter: filter, offset: offset, limit: limit + 1))
    async let counts = counts(of: user)
    async let matching = filter.isCounted ? nil : count(of: user, filter)
    do {
      var found: [InboxItem] = []
      for row in try await rows { found.append(try InboxItem(row)) }
      let known = try await counts
      let shown = found.isEmpty ? 0 : offset + found.count
      return Page(
        items: Array(found.prefix(limit)),
        counts: known,
        matching: try await matching.map { max($0, shown) } ?? (filter.unreadOnly ? known.unread : known.total),
        hasMore: found.count > limit
      )
    } catch let error as PostgresError {
      throw error
    } catch {
      preconditionFailure("only PostgresError is thrown here: \(error)")
    }
  }

  /// One notification, also an archived or snoozed one; nil if the user has none with that id.
  public func item(_ id: NotificationID, of user: UserID) async throws(PostgresError) -> InboxItem? {
    let rows = try await client.query(
      """
      SELECT \(unescaped: InboxItem.columns)
      FROM notifications WHERE user_id = \(user) AND id = \(id) AND in_app IN \(literals: InboxState.kept)
      """
    )
    guard let row = rows.first else { return nil }
    return try InboxItem(row)
  }

  /// What came after `seq`, the oldest first, with the counts of the same instant.
  ///
  /// Nothing that is missing here comes later: `seq` is given under a lock on the inbox, which is held until the commit,
  /// so that a notification is seen only with all before it. What retention has dropped is passed over. Reads hardly
  /// more rows than it answers, wherever `seq` is.
  ///
  /// - Parameters:
  ///   - seq: The last that the caller knows; 0 or more.
  ///   - limit: How many at most.
  public func newcomers(of user: UserID, after seq: Int, limit: Int) async throws(PostgresError) -> Newcomers {
    let read = Self.newcomers(of: user, after: seq, limit: limit + 1)
    let rows = try await client.query(read, planned: .alongIndexes)
    guard let first = rows.first else { return Newcomers(items: [], hasMore: false, seq: 0, unread: 0) }
    var items: [InboxItem] = []
    for row in rows where try row.get("id", as: NotificationID?.self) != nil { items.append(try InboxItem(row)) }
    return Newcomers(
      items: Array(items.prefix(limit)),
      hasMore: items.count > limit,
      seq: try first.get("last_seq"),
      unread: try first.get("unread")
    )
  }

  private func count(of user: UserID, _ filter: Filter) async throws(PostgresError) -> Int? {
    try await client.query(Self.count(of: user, filter, among: counted)).first?.get(0)
  }

  /// The place does not limit what is looked at: whoever has archived little would have all read for it.
  static func count(of user: UserID, _ filter: Filter, among latest: Int) -> SQLQuery {
    """
    SELECT count(*) FROM (
      SELECT in_app, type, read_at FROM notifications WHERE user_id = \(user) ORDER BY id DESC LIMIT \(latest)
    ) n
    WHERE in_app = \(filter.place.state.rawValue) AND (\(filter.codes) IS NULL OR type = ANY (\(filter.codes)))
      AND (NOT \(filter.unreadOnly) OR read_at IS NULL)
    """
  }

  /// Ids grow with `seq` but for the late ones, which have an index: so both are read in order and merged. The walk along the
  /// primary key begins at the last notification up to `seq` that the index knows: every 32nd is in it.
  static func newcomers(of user: UserID, after seq: Int, limit: Int) -> SQLQuery {
    """
    WITH box AS (
      SELECT seq, unread, least(\(limit), greatest(0, seq - \(seq))) AS wanted FROM inbox WHERE user_id = \(user)
    ), known AS (
      SELECT id FROM notifications
      WHERE user_id = \(user) AND in_app = \(literal: .inbox) AND NOT is_late AND seq % 32 = 0 AND seq <= \(seq)
      ORDER BY seq DESC LIMIT 1
    ), in_order AS (
      SELECT \(unescaped: InboxItem.columns)
      FROM notifications
      WHERE user_id = \(user) AND in_app = \(literal: .inbox) AND NOT is_late AND seq > \(seq)
        AND id > coalesce((SELECT id FROM known), \(first))
      ORDER BY id LIMIT (SELECT wanted FROM box)
    ), late AS (
      SELECT \(unescaped: InboxItem.columns)
      FROM notifications WHERE user_id = \(user) AND in_app = \(literal: .inbox) AND is_late AND seq > \(seq)
      ORDER BY seq LIMIT (SELECT wanted FROM box)
    )
    SELECT box.seq AS last_seq, box.unread, n.*
    FROM box LEFT JOIN (
      SELECT * FROM in_order UNION ALL SELECT * FROM late ORDER BY seq LIMIT \(limit)
    ) n ON true
    ORDER BY n.seq
    """
  }

  static func counts(of user: UserID) -> SQLQuery {
    "SELECT unread, total, seen_unread FROM inbox WHERE user_id = \(user)"
  }

  static func items(of user: UserID, filter: Filter, offset: Int, limit: Int) -> SQLQuery {
    """
    SELECT \(unescaped: InboxItem.columns)
    FROM notifications
    WHERE user_id = \(user) AND in_app = \(filter.place.state.rawValue) AND id < coalesce(\(filter.before), \(last))
      AND (\(filter.codes) IS NULL OR type = ANY (\(filter.codes))) AND (NOT \(filter.unreadOnly) OR read_at IS NULL)
    ORDER BY id DESC OFFSET \(offset) LIMIT \(limit)
    """
  }

  /// Less than every UUIDv7.
  private static let first = NotificationID(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))

  /// Greater than every UUIDv7.
  static let last = NotificationID(
    UUID(uuid: (255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255))
  )
}
