public import BelfryJSON
public import NotificationModel

/// What in-app nodes send to the open connections of one shard's users.
public struct RealtimeMessage: Sendable {
  /// AMQP `type` of these messages.
  public static let messageType = "belfry.realtime"

  /// What happened in an inbox.
  public struct Event: Sendable {
    public enum Kind: Sendable, Equatable {
      /// A new notification: `ReceiveNotification`, then `UnreadCountChanged`.
      ///
      /// - Parameters:
      ///   - seq: Its place in the recipient's inbox.
      ///   - content: Index into ``RealtimeMessage/contents``.
      case notification(NotificationID, seq: Int?, content: Int)
      /// Read on another device: `NotificationRead`, then `UnreadCountChanged`.
      case read(NotificationID)
      /// `UnreadCountChanged`.
      case unread
    }

    public var userId: UserID
    public var kind: Kind
    /// The recipient's unread count afterwards.
    public var unread: Int

    public init(_ kind: Kind, userId: UserID, unread: Int) {
      self.userId = userId
      self.kind = kind
      self.unread = unread
    }
  }

  /// What became of a notification after it was sent: its present state, so that one sent twice does no harm.
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
  /// Published before the events, which say the unread count that they lead to. A list of its own, and no kind of event,
  /// because nodes of the release before refuse a message with a kind that they do not know (decision 0042). Left out of the
  /// message where there are none.
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
