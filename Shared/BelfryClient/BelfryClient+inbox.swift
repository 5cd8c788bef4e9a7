public import Foundation

/// What the user did, while it is on its way.
public struct PendingOperation: Sendable {
  let id: InboxOperation.ID
  let session: UserSession
  private let done: Task<Void, any Error>

  fileprivate init(_ session: UserSession, _ add: @Sendable (isolated UserSession, Settlement) -> InboxOperation.ID)
    async
  {
    let (results, settlement) = AsyncThrowingStream<Never, any Error>.makeStream()
    self.session = session
    id = await session.adding(settlement, add)
    done = Task { for try await _ in results {} }
  }

  /// Waits until the server has carried it out.
  ///
  /// - Throws: ``BelfryError``: why it was taken back; `ended` if it was undone.
  public func result() async throws {
    try await done.value
  }

  /// Takes it back if it was not sent yet; says whether that was so.
  @discardableResult
  public func undo() async -> Bool {
    await session.undo(id)
  }
}

extension UserSession {
  fileprivate func adding(
    _ settlement: Settlement,
    _ add: @Sendable (isolated UserSession, Settlement) -> InboxOperation.ID
  ) -> InboxOperation.ID {
    add(self, settlement)
  }
}

/// The inbox: lists as far as they were read, with what the user did on top of what the server sent.
extension BelfryClient {
  /// A list as far as it was read.
  public func list(_ filter: NotificationFilter = NotificationFilter()) async -> InboxList {
    await session.list(filter)
  }

  /// Reads a list for the first time; returns when it is there, or has failed.
  public func load(_ filter: NotificationFilter = NotificationFilter()) async {
    await session.load(filter)
  }

  /// Reads the next page of a list.
  public func loadMore(_ filter: NotificationFilter = NotificationFilter()) async {
    await session.loadMore(filter)
  }

  /// Compares with the server's list; returns when that is done, or has failed.
  public func refresh() async {
    await session.sync().value
  }

  /// Nil until it is known.
  public var unreadCount: Int? {
    get async { await session.inbox.unreadCount }
  }

  /// A notification that is in a list; nil where it is not known.
  public func notification(_ id: BelfryNotification.ID) async -> BelfryNotification? {
    await session.inbox[id]
  }

  /// The user has read them: up to 20,000, by as many calls as that takes.
  @discardableResult
  public func markAsRead(_ ids: [BelfryNotification.ID]) async -> PendingOperation {
    await PendingOperation(session) { $0.add(.read, ids.unique, settling: [$1]) }
  }

  /// The user has read everything in the inbox, also what was not loaded.
  @discardableResult
  public func markAllAsRead() async -> PendingOperation {
    await PendingOperation(session) { $0.add(.read, $0.inbox.unreadIDs, isAll: true, settling: [$1]) }
  }

  /// Unread again; it counts again.
  @discardableResult
  public func markAsUnread(_ id: BelfryNotification.ID) async -> PendingOperation {
    await PendingOperation(session) { $0.add(.unread, [id], settling: [$1]) }
  }

  /// Takes it out of the inbox, into the list of archived ones.
  @discardableResult
  public func archive(_ id: BelfryNotification.ID) async -> PendingOperation {
    await PendingOperation(session) { $0.add(.archive, [id], settling: [$1]) }
  }

  /// Puts an archived one back into the inbox.
  @discardableResult
  public func unarchive(_ id: BelfryNotification.ID) async -> PendingOperation {
    await PendingOperation(session) { $0.add(.unarchive, [id], settling: [$1]) }
  }

  /// Takes it out of the inbox until a time, at most 365 days ahead.
  @discardableResult
  public func snooze(_ id: BelfryNotification.ID, until: Date) async -> PendingOperation {
    await PendingOperation(session) { $0.add(.snooze(until: until), [id], settling: [$1]) }
  }

  /// Brings back what is snoozed, unread and unseen.
  @discardableResult
  public func unsnooze(_ id: BelfryNotification.ID) async -> PendingOperation {
    await PendingOperation(session) { $0.add(.unsnooze, [id], settling: [$1]) }
  }

  /// Deletes it for good, after ``ClientTiming/undo``: until then ``PendingOperation/undo()`` brings it back.
  @discardableResult
  public func delete(_ id: BelfryNotification.ID) async -> PendingOperation {
    await PendingOperation(session) { $0.add(.remove, [id], delay: $0.timing.undo, settling: [$1]) }
  }

  /// The user has used a button.
  @discardableResult
  public func perform(_ action: BelfryAction.ID, of id: BelfryNotification.ID) async -> PendingOperation {
    await PendingOperation(session) { $0.add(.perform(action), [id], settling: [$1]) }
  }

  /// They were shown in a list. Collected, and sent in one call.
  public func markAsSeen(_ ids: [BelfryNotification.ID]) async {
    await session.markAsSeen(ids)
  }

  /// The user has opened it.
  public func opened(_ id: BelfryNotification.ID) async {
    await session.opened(id)
  }
}

extension [UUID] {
  /// Each once, in their order.
  fileprivate var unique: [UUID] {
    var seen: Set<UUID> = []
    return filter { seen.insert($0).inserted }
  }
}
