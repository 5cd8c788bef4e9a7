import Foundation

/// Of the first page: it is to be there soon.
private let shortPage = 20
/// How many lists are remembered.
private let maximumLoads = 50

/// How a list is being loaded.
struct ListLoad: Sendable {
  var page: Task<Bool, any Error>?
  var error: BelfryError?
}

/// Reads lists, and brings them in line with the server's whenever something may have been missed.
extension UserSession {
  func list(_ filter: NotificationFilter) -> InboxList {
    InboxList(
      notifications: inbox.list(filter),
      hasMore: inbox.hasMore(filter),
      isLoading: loads[filter]?.page != nil,
      isLoaded: inbox.view(filter).isLoaded,
      error: loads[filter]?.error,
      revision: inbox.revision
    )
  }

  /// Whether the list was compared with the server's a moment ago, or is about to.
  var isFresh: Bool {
    if syncing != nil { return true }
    guard let syncedAt else { return false }
    return abs(clock.now.timeIntervalSince(syncedAt)) < timing.steady.inSeconds
  }

  /// What a model shows, all of one moment.
  func snapshot(_ filter: NotificationFilter) -> (list: InboxList, unreadCount: Int?) {
    (list(filter), inbox.unreadCount)
  }

  func load(_ filter: NotificationFilter) async {
    active = filter
    if inbox.view(filter).isLoaded || isIdle { return }
    if filter == Inbox.main { await sync().value } else { await loadOne(filter, isFirst: true) }
  }

  func loadMore(_ filter: NotificationFilter) async {
    active = filter
    if loads[filter]?.page == nil, inbox.hasMore(filter) { await loadOne(filter, isFirst: false) }
  }

  /// The first page again; never two at a time. Tries again by itself while it fails.
  @discardableResult
  func sync() -> Task<Void, Never> {
    if let syncing { return syncing }
    doubting?.cancel()
    doubting = nil
    let task = lifetime.run { [weak self] in await self?.syncAndSettle() }
    syncing = task
    return task
  }

  /// What was sent does not fit together, or may have come in another order: the server has the last word.
  func doubt() {
    if doubting == nil { syncLater(timing.verify * (1 + jitter.random())) }
  }

  private func syncLater(_ wait: Duration) {
    doubting?.cancel()
    doubting = later(wait) { session in
      session.doubting = nil
      // The page under way may have been read before what is in doubt.
      if session.syncing != nil { session.doubt() } else if !session.isIdle { session.sync() }
    }
  }

  private func syncAndSettle() async {
    do {
      try await syncOnce()
      syncing = nil
      syncFailures = 0
    } catch {
      syncing = nil
      if isOver || Task.isCancelled { return }
      let error = error as? BelfryError ?? BelfryError(.unavailable)
      if !isIdle, error.code != .ended {
        reportOnce(error)
        syncFailures += 1
        syncLater(max(error.retryAfter ?? .zero, jitter.pause(after: syncFailures, timing)))
      }
    }
    announcedSeq = announcedSeq ?? inbox.lastSeq
    await resume()
  }

  private func syncOnce() async throws {
    let filter = active
    let since = inbox.syncedSeq
    var isCounted = try await loadPage(Inbox.main, isFirst: true)
    if let since, inbox.size > shortPage { isCounted = try await readChanges(since) }
    inbox.markSynced(filter)
    if filter != Inbox.main { _ = try await loadPage(filter, isFirst: true) }
    syncedAt = clock.now
    inboxChanged()
    // Something was sent while the page was on its way: its count may be older.
    if !isCounted { doubt() }
  }

  /// What became of the part of the list beyond the first page; says whether the count that came with it could be taken.
  private func readChanges(_ since: Int64) async throws -> Bool {
    let asked = inbox.ask()
    let changes = try await rest.listChanges(since: since, limit: 1)
    if isOver { throw BelfryError(.ended) }
    for item in changes.changed { inbox.revise(item, asked: asked) }
    for id in changes.deleted { inbox.forget(id) }
    if !changes.isComplete { inbox.forget(below: inbox.firstFloor, asked: asked) }
    inboxChanged()
    return inbox.takeCount(changes.unreadCount, asked: asked)
  }

  private func loadOne(_ filter: NotificationFilter, isFirst: Bool) async {
    do {
      _ = try await loadPage(filter, isFirst: isFirst)
    } catch {
      if !isIdle, let error = error as? BelfryError { report(error) }
    }
  }

  /// Asks for a page of a list, one at a time; says whether the count that came with it could be taken.
  private func loadPage(_ filter: NotificationFilter, isFirst: Bool) async throws -> Bool {
    while let page = loads[filter]?.page { _ = await page.result }
    try Task.checkCancellation()
    if loads.count >= maximumLoads { loads = loads.filter { $0.value.page != nil } }
    let page = Task { [weak self] in
      guard let self else { throw CancellationError() }
      return try await self.requestPage(filter, isFirst: isFirst)
    }
    lifetime.cancelsWithIt(page)
    loads[filter, default: ListLoad()].page = page
    inboxChanged()
    return try await withTaskCancellationHandler {
      try await page.value
    } onCancel: {
      page.cancel()
    }
  }

  private func requestPage(_ filter: NotificationFilter, isFirst: Bool) async throws -> Bool {
    let floor = inbox.view(filter).floor
    let asked = inbox.ask()
    defer {
      loads[filter]?.page = nil
      inboxChanged()
    }
    do {
      let page = try await rest.listNotifications(
        filter,
        before: isFirst ? nil : floor,
        pageSize: isFirst ? min(shortPage, limits.pageSize) : limits.pageSize
      )
      if isOver { throw BelfryError(.ended) }
      loads[filter]?.error = nil
      // A list that was begun anew meanwhile has another end.
      guard isFirst || inbox.view(filter).floor == floor else { return false }
      return inbox.take(page, of: filter, asked: asked, isFirst: isFirst)
    } catch {
      loads[filter]?.error = error as? BelfryError
      throw error
    }
  }
}
