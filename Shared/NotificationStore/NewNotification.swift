public import NotificationModel

/// A notification that routing has decided on and that is to be stored.
public struct NewNotification: Sendable {
  public var id: NotificationID
  public var userID: UserID
  public var requestID: RequestID
  /// Index into the contents that are stored in the same call.
  public var content: Int
  public var decision: PerChannel<ChannelDecision>

  public init(
    id: NotificationID,
    userID: UserID,
    requestID: RequestID,
    content: Int,
    decision: PerChannel<ChannelDecision>
  ) {
    self.id = id
    self.userID = userID
    self.requestID = requestID
    self.content = content
    self.decision = decision
  }
}

/// What storing a notification led to.
public struct StoredNotification: Sendable {
  /// False if it had been stored before: its messages may have been sent already.
  public var isNew: Bool
  /// Counts the recipient's inbox from 1.
  public var seq: Int
  /// The recipient's unread count after this call.
  public var unread: Int
}
