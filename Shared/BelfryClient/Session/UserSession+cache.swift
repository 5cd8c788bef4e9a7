import Foundation

/// Shows what was kept until the server has answered, and keeps what it answers.
extension UserSession {
  /// Takes what was kept, unless the server was faster.
  func restore() async {
    guard let cache, (try? await tokens.current()) != nil, let user = await tokens.user,
      let kept = await cache.load(user: user), !isOver, inbox.lastSeq == nil
    else { return }
    inbox.restore(kept)
    announcedSeq = kept.lastSeq
    inboxChanged()
  }

  /// Keeps what is known, a little later.
  func keepSoon() {
    guard let cache, saving == nil, let kept = inbox.kept else { return }
    if kept == lastKept { return }
    saving = later(.seconds(1)) { session in
      session.saving = nil
      guard let kept = session.inbox.kept, kept != session.lastKept else { return }
      session.lastKept = kept
      let before = session.writing
      session.writing = session.lifetime.run { [tokens = session.tokens] in
        await before?.value
        if let user = await tokens.user, !Task.isCancelled { await cache.save(kept, user: user) }
      }
    }
  }

  /// Keeps what is known, and returns when that is done.
  func keepNow() async {
    saving?.cancel()
    saving = nil
    await writing?.value
    guard let cache, let kept = inbox.kept, kept != lastKept else { return }
    lastKept = kept
    let task = lifetime.run { [tokens] in
      if let user = await tokens.user, !Task.isCancelled { await cache.save(kept, user: user) }
    }
    writing = task
    await task.value
  }

  /// Forgets the user on this device.
  func removeKept() async {
    guard let cache else { return }
    await writing?.value
    if let user = await tokens.user { await cache.remove(user: user) } else { await cache.removeAll() }
  }
}

extension Inbox {
  /// What is worth keeping: as the server has it, without what is pending.
  var kept: CachedInbox? {
    guard let lastSeq, let count, let floor = view(Self.main).floor else { return nil }
    let known = ids(from: floor)
    let newest = known.suffix(CachedInbox.maximumNotifications)
    return CachedInbox(
      notifications: newest.reversed().compactMap { entry($0)?.item },
      lastSeq: lastSeq,
      unreadCount: max(0, count + drift),
      hasMore: hasMore(Self.main) || newest.count < known.count
    )
  }

  /// As if that had been the first page, a while ago.
  mutating func restore(_ kept: CachedInbox) {
    let page = NotificationPage(
      notifications: Array(kept.notifications.prefix(CachedInbox.maximumNotifications)),
      unreadCount: min(max(0, kept.unreadCount), 1 << 53),
      hasMore: kept.hasMore
    )
    // Whatever is asked already is newer.
    _ = take(page, of: Self.main, asked: 0, isFirst: true)
    lastSeq = min(max(0, kept.lastSeq), 1 << 53)
    syncedSeq = lastSeq
  }
}
