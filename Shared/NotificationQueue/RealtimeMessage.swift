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

  /// What became of a notification after it was told: its present state, so that one told twice does no harm.
  public struct Change: Sendable {
    public enum State: Sendable {
      /// It is in no list any more: `NotificationDeleted`.
      case deleted(NotificationID)
      /// `NotificationChanged`.
      ///
      /// - Parameter content: Index into ``RealtimeMessage/contents``.
      case changed(NotificationDTO.Own, content: Int)
    }

    public var userId: UserID
    public var state: State

    public init(userId: UserID, state: State) {
      self.userId = userId
      self.state = state
    }

    public var notificationId: NotificationID {
      switch state {
      case .deleted(let id): id
      case .changed(let own, _): own.id
      }
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
    /// The payload's members that are amounts: over MessagePack their numbers are in floating point, whole ones too.
    public var amounts: [String]
    public var userIds: [UserID]

    public init(
      name: String,
      payload: JSONValue,
      arguments: [String] = [],
      amounts: [String] = [],
      userIds: [UserID]
    ) {
      self.name = name
      self.payload = payload
      self.arguments = arguments
      self.amounts = amounts
      self.userIds = userIds
    }
  }

  public var v = QueueCoder.version
  public var contents: [NotificationContent]
  public var events: [Event]
  /// Left out of the message where there are none.
  public var relays: [Relay]
  /// Told before the events, which say the unread count that they lead to. A list of its own, and no kind of event, because
  /// nodes of the release before refuse a message with a kind that they do not know (decision 0042). Left out of the message
  /// where there are none.
  public var changes: [Change]

  public init(
    contents: [NotificationContent] = [],
    events: [Event] = [],
    relays: [Relay] = [],
    changes: [Change] = []
  ) {
    self.contents = contents
    self.events = events
    self.relays = relays
    self.changes = changes
  }
}
