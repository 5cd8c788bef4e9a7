public import JSON
public import NotificationModel

/// What in-app nodes tell the open connections of one shard's users.
public struct RealtimeMessage: Sendable {
  /// AMQP `type` of these messages.
  public static let messageType = "belfry.realtime"

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

  /// An event of the backend's own, given to some users as it came. Nothing of it is stored.
  public struct Relay: Sendable {
    /// Target of the hub's message, e.g. `BalanceUpdated`.
    public var name: String
    /// An object.
    public var payload: JSONValue
    /// The payload's members that `/hubs/notifications` gives as positional arguments, in their order; empty means the
    /// payload as one argument.
    public var arguments: [String]
    public var userIds: [UserID]

    public init(name: String, payload: JSONValue, arguments: [String], userIds: [UserID]) {
      self.name = name
      self.payload = payload
      self.arguments = arguments
      self.userIds = userIds
    }
  }

  public var v = QueueCoder.version
  public var contents: [NotificationContent]
  public var events: [Event]
  /// Left out of the message where there are none.
  public var relays: [Relay]

  public init(contents: [NotificationContent] = [], events: [Event] = [], relays: [Relay] = []) {
    self.contents = contents
    self.events = events
    self.relays = relays
  }
}
