/// A page of a list, the newest notification first. Source: `NotificationListDto` of `openapi.yaml`.
public struct NotificationPage: Sendable, Equatable {
  /// The newest one first.
  public let notifications: [BelfryNotification]
  /// Of the whole inbox, without archived and snoozed notifications; nil where the answer had none.
  public let unreadCount: Int?
  /// How many match the filter; nil where the answer had none.
  public let totalCount: Int?
  /// Whether there are older ones.
  public let hasMore: Bool

  /// For transports and tests: the server makes those that count.
  public init(notifications: [BelfryNotification], unreadCount: Int?, totalCount: Int? = nil, hasMore: Bool) {
    self.notifications = notifications
    self.unreadCount = unreadCount
    self.totalCount = totalCount
    self.hasMore = hasMore
  }
}

/// What came after a `seq`. Source: `NotificationChangesDto` of `openapi.yaml`.
public struct NotificationChanges: Sendable, Equatable {
  /// The new notifications, the oldest first.
  public let notifications: [BelfryNotification]
  /// The inbox's latest.
  public let seq: Int64
  /// Of the whole inbox; nil where the answer had none.
  public let unreadCount: Int?
  /// Ask again with the `seq` of the last notification.
  public let hasMore: Bool
  /// Those that were there already, each as it is now.
  public let changed: [BelfryNotification]
  /// Ids of those that are in no list any more.
  public let deleted: [BelfryNotification.ID]
  /// Of the latest change: give it the next time.
  public let change: Int64
  /// If false, changes are missing: load the list again.
  public let isComplete: Bool
}
