/// Keeps the newest notifications of each user, so that an app shows them before the server has answered.
public protocol NotificationCache: Sendable {
  /// Nil where nothing is kept, or what is kept cannot be read.
  func load(user: String) async -> CachedInbox?
  /// Replaces what is kept. A failure loses nothing but the cache.
  func save(_ inbox: CachedInbox, user: String) async
  /// Forgets a user.
  func remove(user: String) async
  /// Forgets all users: somebody has signed out before it was known who that was.
  func removeAll() async
}

/// What is kept of a user's inbox.
public struct CachedInbox: Sendable, Equatable, Codable {
  /// How many notifications are kept at most.
  public static let maximumNotifications = 200

  /// The newest one first.
  public let notifications: [BelfryNotification]
  /// Up to here everything was there.
  public let lastSeq: Int64
  /// Of the whole inbox, as the server counts it.
  public let unreadCount: Int
  /// Whether there are older ones.
  public let hasMore: Bool

  /// Beyond ``maximumNotifications`` nothing is used.
  public init(notifications: [BelfryNotification], lastSeq: Int64, unreadCount: Int, hasMore: Bool) {
    self.notifications = notifications
    self.lastSeq = lastSeq
    self.unreadCount = unreadCount
    self.hasMore = hasMore
  }
}

/// Keeps inboxes as long as it lives, for tests and previews.
public actor MemoryCache: NotificationCache {
  private var inboxes: [String: CachedInbox] = [:]

  /// Keeps nothing yet.
  public init() {}

  public func load(user: String) -> CachedInbox? { inboxes[user] }

  public func save(_ inbox: CachedInbox, user: String) {
    inboxes[user] = inbox
  }

  public func remove(user: String) {
    inboxes[user] = nil
  }

  public func removeAll() {
    inboxes = [:]
  }
}
