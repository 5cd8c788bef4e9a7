public import NotificationModel

/// What an act changed in a user's inbox.
public struct InboxChange: Sendable {
  public var act: InboxAct
  /// How many notifications changed.
  public var count: Int
  /// At most ``InboxStore/maximumMarked`` of them, as they are now, by their ids; deleted ones as they were last.
  public var items: [InboxItem]
  /// The counters afterwards.
  public var counts: InboxStore.Counts

  /// Whether connections are told of each. Of more they are told the count alone, and clients load the list again.
  public var isTold: Bool { count <= InboxStore.maximumMarked }

  /// What open connections are to be told; nil if nothing changed.
  ///
  /// - Parameters:
  ///   - catalogue: Knows the types.
  ///   - locale: The user's; see ``InboxStore/locale(of:catalogue:)``.
  public func news(_ catalogue: Catalogue, locale: String?) -> InboxNews? {
    guard count > 0 else { return nil }
    var news = InboxNews(unread: counts.unread)
    guard isTold else { return news }
    switch act {
    case .read: news.read = items.map(\.id)
    case .delete: news.deleted = items.map(\.id)
    case .unread, .seen, .opened, .archive, .unarchive, .snooze, .wake, .wakeWhenDue:
      news.changed = items.map { .init(own: $0.own, content: $0.content(catalogue, locale: locale)) }
    }
    return news
  }
}
