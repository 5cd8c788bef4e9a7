/// A tab of a notification centre: a name and what it lists.
public struct NotificationTab: Sendable, Hashable, Identifiable {
  public let id: String
  public let filter: NotificationFilter

  public init(id: String, filter: NotificationFilter) {
    self.id = id
    self.filter = filter
  }

  public static let all = NotificationTab(id: "all", filter: NotificationFilter())
  public static let unread = NotificationTab(id: "unread", filter: NotificationFilter(unreadOnly: true))
  public static let archived = NotificationTab(id: "archived", filter: NotificationFilter(place: .archived))
  public static let snoozed = NotificationTab(id: "snoozed", filter: NotificationFilter(place: .snoozed))
}
