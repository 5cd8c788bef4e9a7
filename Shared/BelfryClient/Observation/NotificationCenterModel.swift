public import Foundation
public import Observation

/// A notification centre for SwiftUI: a list as far as it was read, and what the user does to it, shown at once.
///
/// What the server refuses is taken back, and is ``error``. When the user signs out everything is empty, until the next one is there.
@MainActor
@Observable
public final class NotificationCenterModel {
  /// Of the filter, the newest one first.
  public private(set) var notifications: [BelfryNotification] = []
  /// The server's, with what is pending on top of it; nil until it is known.
  public private(set) var unreadCount: Int?
  /// Whether a page is on its way.
  public private(set) var isLoading = false
  /// Whether the list was read at least once.
  public private(set) var isLoaded = false
  /// Whether ``loadMore()`` would find older ones.
  public private(set) var hasMore = false
  /// Why the list could not be read, or an operation was taken back; nil once a list could be read again.
  public private(set) var error: BelfryError?
  /// How the live connection is.
  public private(set) var connectionState = ConnectionState.disconnected
  /// What a picker offers; set ``filter`` to the chosen one's.
  public let tabs: [NotificationTab]
  /// What is listed. Setting it reads that list.
  public var filter: NotificationFilter {
    didSet {
      if filter != oldValue { show(filter) }
    }
  }
  /// Deletions that ``undoDelete()`` brings back, the last one last; at most ten.
  public private(set) var deletions: [PendingDeletion] = []

  /// A deletion that is not sent yet.
  public struct PendingDeletion: Sendable, Identifiable {
    /// The notification's.
    public let id: BelfryNotification.ID
    let operation: PendingOperation
  }

  @ObservationIgnored private let client: BelfryClient
  @ObservationIgnored private let lifetime = Lifetime()
  /// Of which list ``notifications`` are: comparing ten thousand would take too long here.
  @ObservationIgnored private var shown: (filter: NotificationFilter, revision: Int)?

  /// Follows the client from now on, also to the next user.
  public init(
    _ client: BelfryClient,
    filter: NotificationFilter = NotificationFilter(),
    tabs: [NotificationTab] = [.all, .unread, .archived]
  ) {
    self.client = client
    self.filter = filter
    self.tabs = tabs
    follow(filter)
  }

  // MARK: Reading

  /// Compares with the server's list.
  public func refresh() async {
    await client.refresh()
    await update()
  }

  /// Reads the next page, if there is one.
  public func loadMore() async {
    await client.loadMore(filter)
    await update()
  }

  // MARK: What the user does

  /// The user has read them.
  public func markAsRead(_ ids: BelfryNotification.ID...) async {
    await client.markAsRead(ids)
    await update()
  }

  /// The user has read everything in the inbox, also what was not loaded.
  public func markAllAsRead() async {
    await client.markAllAsRead()
    await update()
  }

  /// Unread again; it counts again.
  public func markAsUnread(_ id: BelfryNotification.ID) async {
    await client.markAsUnread(id)
    await update()
  }

  /// Takes it out of the inbox, into the list of archived ones.
  public func archive(_ id: BelfryNotification.ID) async {
    await client.archive(id)
    await update()
  }

  /// Puts an archived one back into the inbox.
  public func unarchive(_ id: BelfryNotification.ID) async {
    await client.unarchive(id)
    await update()
  }

  /// Takes it out of the inbox until a time, at most 365 days ahead.
  public func snooze(_ id: BelfryNotification.ID, until: Date) async {
    await client.snooze(id, until: until)
    await update()
  }

  /// Brings back what is snoozed, unread and unseen.
  public func unsnooze(_ id: BelfryNotification.ID) async {
    await client.unsnooze(id)
    await update()
  }

  /// Deletes it after some seconds, in which ``undoDelete()`` brings it back. What is being deleted already stays so.
  public func delete(_ id: BelfryNotification.ID) async {
    if deletions.contains(where: { $0.id == id }) { return }
    let operation = await client.delete(id)
    guard operation.session === client.session else { return }
    deletions = deletions.suffix(9) + [PendingDeletion(id: id, operation: operation)]
    lifetime.run { [weak self] in
      try? await operation.result()
      await self?.forget(operation)
    }
    await update()
  }

  /// Brings back what was deleted last; false if it was sent already.
  @discardableResult
  public func undoDelete() async -> Bool {
    guard let last = deletions.popLast() else { return false }
    let isUndone = await last.operation.undo()
    await update()
    return isUndone
  }

  /// The user has used a button of it.
  public func perform(_ action: BelfryAction, of id: BelfryNotification.ID) async {
    await client.perform(action.id, of: id)
  }

  /// It is on the screen. Collected, and sent in one call.
  public func markAsSeen(_ id: BelfryNotification.ID) async {
    await client.markAsSeen([id])
  }

  /// The user has opened it.
  public func opened(_ id: BelfryNotification.ID) async {
    await client.opened(id)
    await update()
  }

  // MARK: Following the client

  private func follow(_ filter: NotificationFilter) {
    let client = client
    // Each stream is one user's: the next user's follows.
    lifetime.run { [weak self] in
      while !Task.isCancelled {
        let updates = client.session.outlets.updates.stream(bound: 1)
        await client.load(filter)
        await self?.update()
        for await _ in updates { await self?.update() }
        await self?.clear()
      }
    }
    lifetime.run { [weak self] in
      while !Task.isCancelled {
        let session = client.session
        for await state in session.outlets.stateStream() { await self?.take(state, of: session) }
      }
    }
    lifetime.run { [weak self] in
      while !Task.isCancelled {
        let session = client.session
        for await error in session.outlets.errors.stream(bound: 16) { await self?.take(error, of: session) }
      }
    }
  }

  private func show(_ filter: NotificationFilter) {
    let client = client
    lifetime.run { [weak self] in
      await self?.update()
      await client.load(filter)
      await self?.update()
    }
  }

  private func update() async {
    let (wanted, session) = (filter, client.session)
    let (list, count) = await session.snapshot(wanted)
    // Another filter was chosen meanwhile, which has its own turn; or the user has signed out.
    guard wanted == filter, session === client.session else { return }
    let isOutdated = isLoaded && shown?.filter == wanted && !list.isLoaded && !list.isLoading && list.error == nil
    if shown?.filter != wanted || shown?.revision != list.revision {
      shown = (wanted, list.revision)
      notifications = list.notifications
    }
    if unreadCount != count { unreadCount = count }
    if hasMore != list.hasMore { hasMore = list.hasMore }
    if isLoaded != list.isLoaded { isLoaded = list.isLoaded }
    if isLoading, !list.isLoading, list.isLoaded, list.error == nil { error = nil }
    if isLoading != list.isLoading { isLoading = list.isLoading }
    if let failure = list.error, failure != error { error = failure }
    // All lists were compared with the server's, but for this one.
    if isOutdated { show(wanted) }
  }

  private func take(_ state: ConnectionState, of session: UserSession) {
    guard session === client.session else { return }
    if connectionState != state { connectionState = state }
    // A list that was chosen before there was a connection.
    if state == .connected { show(filter) }
  }

  private func take(_ error: BelfryError, of session: UserSession) {
    guard session === client.session else { return }
    self.error = error
  }

  private func forget(_ operation: PendingOperation) {
    deletions.removeAll { $0.operation.id == operation.id && $0.operation.session === operation.session }
  }

  private func clear() {
    shown = nil
    notifications = []
    unreadCount = nil
    deletions = []
    error = nil
    connectionState = .disconnected
    hasMore = false
    isLoaded = false
    isLoading = false
  }
}
