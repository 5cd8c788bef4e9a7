/// What became of a user's notifications, for their open connections.
public struct InboxUpdate: Sendable {
  /// A notification as it is now.
  public struct Item: Sendable {
    public var own: NotificationDTO.Own
    public var content: NotificationContent

    public init(own: NotificationDTO.Own, content: NotificationContent) {
      self.own = own
      self.content = content
    }
  }

  public var changed: [Item]
  public var deleted: [NotificationID]
  /// Read, and nothing else.
  public var read: [NotificationID]
  /// The unread count afterwards.
  public var unread: Int

  public init(
    changed: [Item] = [],
    deleted: [NotificationID] = [],
    read: [NotificationID] = [],
    unread: Int
  ) {
    self.changed = changed
    self.deleted = deleted
    self.read = read
    self.unread = unread
  }
}
