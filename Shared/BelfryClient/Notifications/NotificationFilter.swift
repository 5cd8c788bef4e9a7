/// Which notifications a list has. The default is the inbox with everything in it.
public struct NotificationFilter: Sendable, Hashable {
  /// Which list.
  public var place: NotificationPlace
  /// Whether read ones are left out.
  public var unreadOnly: Bool
  /// The heading of a category; nil for all.
  public var category: String?
  /// The code or the name of a type; nil for all.
  public var type: String?

  /// Everything in the inbox, unless said otherwise.
  public init(
    place: NotificationPlace = .inbox,
    unreadOnly: Bool = false,
    category: String? = nil,
    type: String? = nil
  ) {
    self.place = place
    self.unreadOnly = unreadOnly
    self.category = category
    self.type = type
  }

  /// Whether the list has it.
  public func matches(_ notification: BelfryNotification) -> Bool {
    notification.place == place
      && !(unreadOnly && notification.isRead)
      && (category == nil || notification.category == category)
      && (type == nil || notification.typeName == type || String(notification.type) == type)
  }
}
