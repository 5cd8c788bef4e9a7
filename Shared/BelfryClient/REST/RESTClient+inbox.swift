public import Foundation
import BelfryJSON

/// The inbox.
extension RESTClient {
  /// A page of a list, the newest notification first.
  ///
  /// - Parameters:
  ///   - filter: Which list.
  ///   - before: The last notification of the page before; nil for the first page.
  ///   - pageSize: 1 to 50.
  public func listNotifications(
    _ filter: NotificationFilter = NotificationFilter(),
    before: BelfryNotification.ID? = nil,
    pageSize: Int = 20
  ) async throws -> NotificationPage {
    var query = [(name: "pageSize", value: String(pageSize))]
    if let before { query.append(("before", before.wireText)) }
    if filter.unreadOnly { query.append(("unreadOnly", "true")) }
    if let category = filter.category { query.append(("category", category)) }
    if let type = filter.type { query.append(("type", type)) }
    if filter.place != .inbox { query.append((filter.place.rawValue, "true")) }
    return try await call(.listNotifications, query: query, as: NotificationPage.init)
  }

  /// What came after a `seq`; `change` is that of the answer before, if there was one.
  public func listChanges(since seq: Int64, change: Int64? = nil, limit: Int = 50) async throws -> NotificationChanges {
    var query = [(name: "since", value: String(seq)), ("limit", String(limit))]
    if let change { query.append(("change", String(change))) }
    return try await call(.listChanges, query: query, as: NotificationChanges.init)
  }

  /// How many notifications are unread, and how many of these were not seen in a list either.
  public func getUnreadCount() async throws -> (count: Int, unseen: Int) {
    try await call(.getUnreadCount) { json in
      guard let count = json["count"]?.count, let unseen = json["unseen"]?.count else { return nil }
      return (count, unseen)
    }
  }

  /// One notification, in whatever list it is.
  public func getNotification(_ id: BelfryNotification.ID) async throws -> BelfryNotification {
    try await call(.getNotification, [id.wireText], as: BelfryNotification.init)
  }

  /// The user has read it; gives it as it is then.
  public func markNotificationRead(_ id: BelfryNotification.ID) async throws -> BelfryNotification {
    try await call(.markNotificationRead, [id.wireText], as: BelfryNotification.init)
  }

  /// Unread again; gives it as it is then.
  public func markNotificationUnread(_ id: BelfryNotification.ID) async throws -> BelfryNotification {
    try await call(.markNotificationUnread, [id.wireText], as: BelfryNotification.init)
  }

  /// Takes it out of the inbox; gives it as it is then.
  public func archiveNotification(_ id: BelfryNotification.ID) async throws -> BelfryNotification {
    try await call(.archiveNotification, [id.wireText], as: BelfryNotification.init)
  }

  /// Puts it back into the inbox; gives it as it is then.
  public func unarchiveNotification(_ id: BelfryNotification.ID) async throws -> BelfryNotification {
    try await call(.unarchiveNotification, [id.wireText], as: BelfryNotification.init)
  }

  /// Takes it out of the inbox until a time, at most 365 days ahead; nil brings it back at once.
  public func snoozeNotification(_ id: BelfryNotification.ID, until: Date?) async throws -> BelfryNotification {
    let body = JSONValue.object([JSONMember("until", until.map(WireDate.text))])
    return try await call(.snoozeNotification, [id.wireText], body: body, as: BelfryNotification.init)
  }

  /// For good. A notification that is gone already is `notFound`.
  public func deleteNotification(_ id: BelfryNotification.ID) async throws {
    _ = try await call(.deleteNotification, [id.wireText])
  }

  /// Deletes the read notifications of the inbox; gives how many these were.
  public func deleteReadNotifications() async throws -> Int {
    try await call(.deleteReadNotifications) { $0["deletedCount"]?.count }
  }

  /// - Parameter ids: Up to 1,000; nil for all.
  public func markNotificationsRead(_ ids: [BelfryNotification.ID]?) async throws -> Int {
    try await call(.markNotificationsRead, body: body(ids)) { $0["markedCount"]?.count }
  }

  /// Shown in a list, that is; they may be unread.
  ///
  /// - Parameter ids: Up to 1,000; nil for all.
  public func markNotificationsSeen(_ ids: [BelfryNotification.ID]?) async throws -> Int {
    try await call(.markNotificationsSeen, body: body(ids)) { $0["markedCount"]?.count }
  }

  /// The user has opened it, from the list or from a push.
  public func reportNotificationOpened(_ id: BelfryNotification.ID) async throws {
    _ = try await call(.reportNotificationOpened, [id.wireText])
  }

  /// The user has used the button with this id.
  public func reportNotificationAction(_ id: BelfryNotification.ID, _ action: BelfryAction.ID) async throws {
    _ = try await call(.reportNotificationAction, [id.wireText, action])
  }

  private func body(_ ids: [BelfryNotification.ID]?) -> JSONValue? {
    ids.map { .object([JSONMember("notificationIds", .array($0.map { .string($0.wireText) }))]) }
  }
}

extension UUID {
  /// As the server writes it: in lower case.
  var wireText: String { uuidString.lowercased() }
}
