public import NotificationModel

/// What an operation changed in a user's inbox.
public struct InboxChange: Sendable {
  public var operation: InboxOperation
  /// How many notifications changed.
  public var count: Int
  /// At most ``InboxStore/maximumMarked`` of them, as they are now, by their ids; deleted ones as they were last.
  public var items: [InboxItem]
  /// The counters afterwards.
  public var counts: InboxStore.Counts

  /// Whether connections hear of each. Of more they get the count alone, and clients load the list again.
  public var namesEach: Bool { count <= InboxStore.maximumMarked }

  /// What is published to open connections; nil if nothing changed.
  ///
  /// - Parameters:
  ///   - catalogue: Knows the types.
  ///   - locale: The user's, where the operation ``InboxOperation/sendsContents``.
  public func inboxUpdate(_ catalogue: Catalogue, locale: String?) -> InboxUpdate? {
    guard count > 0 else { return nil }
    var update = InboxUpdate(unread: counts.unread)
    guard namesEach else { return update }
    switch operation.announcement {
    case .read: update.read = items.map(\.id)
    case .deleted: update.deleted = items.map(\.id)
    case .contents: update.changed = items.map { .init(own: $0.own, content: $0.content(catalogue, locale: locale)) }
    }
    return update
  }
}
