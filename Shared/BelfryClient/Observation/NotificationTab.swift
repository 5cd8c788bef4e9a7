/// A tab of a notification centre: a name and what it lists.
public struct NotificationTab: Sendable, Hashable, Identifiable {
  /// Tells tabs apart; an app looks its title up by it.
  public let id: String
  /// What it lists.
  public let filter: NotificationFilter

  /// A tab of the app's own, such as one for a category.
  public init(id: String, filter: NotificationFilter) {
    self.id = id
    self.filter = filter
  }

  /// Everything in the inbox.
  public static let all = NotificationTab(id: "all", filter: NotificationFilter())
  /// What is unread in the inbox.
  public static let unread = NotificationTab(id: "unread", filter: NotificationFilter(unreadOnly: true))
  /// What was archived.
  public static let archived = NotificationTab(id: "archived", filter: NotificationFilter(place: .archived))
  /// What comes back later.
  public static let snoozed = NotificationTab(id: "snoozed", filter: NotificationFilter(place: .snoozed))
}
