public import NotificationModel

/// What in-app nodes tell the open connections of one shard's users.
public struct RealtimeMessage: Sendable {
  /// What happened.
  public enum Kind: String, Sendable {
    /// A new notification: `ReceiveNotification`, then `UnreadCountChanged`.
    case notification
    /// `UnreadCountChanged`.
    case unread
    /// Read on another device: `NotificationRead`, then `UnreadCountChanged`.
    case read
  }

  public struct Event: Sendable {
    public var kind: Kind
    public var userId: UserID
    public var notificationId: NotificationID?
    /// Index into ``RealtimeMessage/contents``.
    public var content: Int?
    /// The notification's place in the recipient's inbox.
    public var seq: Int?
    /// The recipient's unread count afterwards.
    public var unread: Int

    public init(
      kind: Kind,
      userId: UserID,
      notificationId: NotificationID? = nil,
      content: Int? = nil,
      seq: Int? = nil,
      unread: Int
    ) {
      self.kind = kind
      self.userId = userId
      self.notificationId = notificationId
      self.content = content
      self.seq = seq
      self.unread = unread
    }
  }

  public var v = QueueCoder.version
  public var contents: [NotificationContent]
  public var events: [Event]

  public init(contents: [NotificationContent], events: [Event]) {
    self.contents = contents
    self.events = events
  }
}
