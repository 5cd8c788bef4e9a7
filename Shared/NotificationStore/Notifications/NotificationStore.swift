import Foundation
import BelfryJSON
public import NotificationModel
public import Postgres

/// Writes notifications, and the inbox counters with them, in one transaction and one round trip.
public struct NotificationStore: Sendable {
  let client: PostgresClient

  public init(client: PostgresClient) {
    self.client = client
  }

  /// Stores what is not stored yet.
  ///
  /// Users' inbox rows are locked in order of their ids first, so that concurrent calls neither deadlock nor count twice.
  /// Only rows really inserted move the counters. Repeated ids within one call are an error of the caller.
  ///
  /// What waits on a channel is put into `held` as well, by what is stored of it.
  ///
  /// What was stored before keeps what was decided and said then: see ``StoredNotification/former``. What is dated up to the
  /// moment in which its user was erased is not stored: see ``StoredNotification/isErased``.
  ///
  /// - Returns: One result per notification, in the same order.
  public func store(
    _ notifications: [NewNotification],
    contents: [NotificationContent]
  ) async throws(PostgresError) -> [StoredNotification] {
    guard !notifications.isEmpty else { return [] }
    let users = Array(Set(notifications.map(\.userID))).sorted()
    let waiting = notifications.flatMap(WaitingChannel.all)
    let locks = Self.lock(inboxesOf: users)
    let results = try await client.transaction(
      locks + [Self.insert(notifications, contents)] + (waiting.isEmpty ? [] : [Self.hold(waiting, contents)]),
      planned: .alongIndexes
    )
    var stored: [StoredNotification] = []
    stored.reserveCapacity(notifications.count)
    var homeless: [Int] = []
    for row in results[locks.count] {
      let fate: Int = try row.get(0)
      if fate == Fate.homeless { homeless.append(stored.count) }
      var result = StoredNotification(isNew: fate == Fate.new, seq: try row.get(1), unread: try row.get(2))
      result.isErased = fate == Fate.erased
      stored.append(result)
    }
    if !homeless.isEmpty {
      // Their inboxes were erased between making and locking them, and they are later than that: the next call makes new ones.
      let again = try await store(homeless.map { notifications[$0] }, contents: contents)
      for (index, result) in zip(homeless, again) { stored[index] = result }
    }
    let repeated = stored.indices.filter { !stored[$0].isNew && !stored[$0].isErased && !homeless.contains($0) }
    guard !repeated.isEmpty else { return stored }
    let former = Self.former(repeated.map { notifications[$0] })
    for row in try await client.query(former, planned: .alongIndexes) {
      let position: Int = try row.get("position")
      stored[repeated[position - 1]].former = try StoredNotification.Former(row)
    }
    return stored
  }

  /// What becomes of a notification, as the statement that stores them says it.
  private enum Fate {
    /// It is stored already.
    static let known = 0
    static let new = 1
    static let erased = 2
    /// There is no inbox that this transaction has locked.
    static let homeless = 3
  }

  /// The inboxes of users, made where missing and locked until the transaction ends.
  ///
  /// - Parameter users: In order of their ids.
  static func lock(inboxesOf users: [UserID]) -> [SQLQuery] {
    [
      "INSERT INTO inbox (user_id) SELECT unnest(\(users)) ON CONFLICT DO NOTHING",
      """
      SELECT 1 FROM unnest(\(users)) AS u(user_id) JOIN inbox b ON b.user_id = u.user_id
      ORDER BY b.user_id FOR UPDATE OF b
      """,
    ]
  }

  static func insert(_ notifications: [NewNotification], _ contents: [NotificationContent]) -> SQLQuery {
    let hasSiblings = notifications.contains { $0.siblings != nil }
    let days = StatStore.Days(of: notifications.lazy.map(\.id))
    let statement = hasSiblings ? storingSiblings : storing
    return statement.query { query in
      query.bind("types", contents.map { Int16($0.type) })
      query.bind("titles", contents.map(\.title))
      query.bind("bodies", contents.map(\.body))
      query.bind("data", contents.map(data))
      query.bind("related_types", contents.map(\.relatedEntityType))
      query.bind("related_ids", contents.map(\.relatedEntityId))
      query.bind("created_at", contents.map(\.createdAt))
      query.bind("expires_at", contents.map(\.expiresAt))
      query.bind("user_ids", notifications.map(\.userID))
      query.bind("ids", notifications.map(\.id))
      query.bind("request_ids", notifications.map(\.requestID))
      query.bind("contents", notifications.map { Int32($0.content + 1) })
      query.bind("in_app", notifications.map { $0.plan.code(.inApp) })
      query.bind("push", notifications.map { $0.plan.code(.push) })
      query.bind("email", notifications.map { $0.plan.code(.email) })
      query.bind("decisions", further(notifications))
      query.bind("firsts", hasSiblings ? notifications.map { $0.siblings?.lowerBound } : [])
      query.bind("beyonds", hasSiblings ? notifications.map { $0.siblings?.upperBound } : [])
      query.bind("owners", owners(of: notifications))
      query.bind("days", days.numbers)
      query.bind("first_ids", days.firsts)
    }
  }

  private static let storing = storing(unless: same)
  private static let storingSiblings = storing(unless: sibling)

  /// - Parameter stored: SQL that finds what is stored of a notification `i`.
  private static func storing(unless stored: String) -> SQLStatement {
    .embedded(
      "store",
      constants: [
        "known": "\(Fate.known)", "new": "\(Fate.new)", "erased": "\(Fate.erased)", "homeless": "\(Fate.homeless)",
        "inbox": InboxState.inbox.sql, "slot": StatStore.slot, "stored": stored,
      ]
    )
  }

  /// What is stored under a notification's own id.
  private static let same = "SELECT seq FROM notifications WHERE user_id = i.user_id AND id = i.id"
  /// Or, of the same request, under another id: a range of the primary key.
  private static let sibling = """
    SELECT seq FROM notifications WHERE user_id = i.user_id AND id >= coalesce(i.first, i.id)
      AND id < coalesce(i.beyond, i.id) AND request_id = i.request_id
    UNION ALL
    \(same)
    LIMIT 1
    """

  /// Nothing at all, which `unnest` fills up with NULLs, where the columns say everything.
  private static func further(_ notifications: [NewNotification]) -> [PostgresJSON?] {
    let further = notifications.map(\.plan.further)
    return further.allSatisfy { $0 == nil } ? [] : further
  }

  /// As ``further(_:)``, of what no service has sent through a gateway.
  private static func owners(of notifications: [NewNotification]) -> [String?] {
    notifications.contains { $0.owner != .unknown } ? notifications.map(\.owner.text) : []
  }

  /// Numbers and booleans as such, so that they are read as such.
  static func data(of content: NotificationContent) -> PostgresJSON? {
    guard !content.data.isEmpty else { return nil }
    return PostgresJSON(text: JSONWriter.text(JSONValue(data: content.data, literals: content.literals)))
  }
}
