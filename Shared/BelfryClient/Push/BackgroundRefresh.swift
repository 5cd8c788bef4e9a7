import Foundation

/// What a refresh behind other apps has brought, in the system's words.
public enum BackgroundRefreshResult: Sendable, Equatable {
  /// Something of the inbox is otherwise.
  case newData
  case noData
  case failed
}

extension BelfryClient {
  /// The longest refresh. iOS gives a silent push thirty seconds, and counts long ones against the app.
  private static let longestRefresh = Duration.milliseconds(9_500)

  /// Brings the inbox, its cache, the badge and the system's list up to date, for a silent push or a `BGAppRefreshTask`: without the live
  /// connection, also before ``connect()``, and on a locked device.
  ///
  /// - Parameters:
  ///   - deadline: By then it has returned, whatever the network does; at most 9.5 seconds.
  ///   - center: Gets the badge, of a user who wants one, and loses what was read elsewhere.
  public func refresh(
    deadline: Duration,
    in center: (any SystemNotifications)? = nil
  ) async -> BackgroundRefreshResult {
    let (session, sweep) = (session, center.map { DeliveredSweep(self, in: $0) })
    let limit = min(deadline, Self.longestRefresh)
    do {
      return try await within(limit, of: configuration.clock) {
        let change = try await session.refreshBehind()
        await sweep?.sweep(deleted: change.deleted)
        if let center, let count = change.unreadCount, let badge = try await session.badge(count) {
          await center.setBadge(badge)
        }
        return change.isNew ? .newData : .noData
      }
    } catch {
      return .failed
    }
  }
}

/// What a refresh has found.
struct BackgroundChange: Sendable, Equatable {
  let isNew: Bool
  let unreadCount: Int?
  let deleted: Set<BelfryNotification.ID>
}

extension UserSession {
  /// How many new notifications one answer may have; of more the first page is read.
  private static let mostChanges = 100

  /// Takes what came since the last time, by one call where that is enough.
  ///
  /// - Throws: ``BelfryError``; `CancellationError`.
  func refreshBehind() async throws -> BackgroundChange {
    if isOver { throw BelfryError(.ended) }
    // A refused user is asked for a token again: there may be another one by now.
    await tokens.unblock()
    if inbox.lastSeq == nil { await restore() }
    let before = inbox.kept
    let deleted = try await catchUp()
    inboxChanged()
    await keepNow()
    return BackgroundChange(isNew: inbox.kept != before, unreadCount: inbox.unreadCount, deleted: deleted)
  }

  /// What the icon is to show: 0 for a user who wants no badge; nil where that cannot be known now.
  fileprivate func badge(_ count: Int) async throws -> Int? {
    if count == 0 { return 0 }
    do {
      return try await rest.getPreferences().badgeEnabled ? count : 0
    } catch is BelfryError {
      return nil
    }
  }

  private func catchUp() async throws -> Set<BelfryNotification.ID> {
    guard let since = inbox.lastSeq else {
      try await readFirstPage()
      return []
    }
    let asked = inbox.ask()
    let changes = try await rest.listChanges(since: since, limit: Self.mostChanges)
    if isOver { throw BelfryError(.ended) }
    for item in changes.changed { inbox.revise(item, asked: asked) }
    for id in changes.deleted { inbox.forget(id) }
    guard changes.isComplete, !changes.hasMore, changes.seq >= since else {
      try await readFirstPage()
      return Set(changes.deleted)
    }
    for item in changes.notifications {
      inbox.revise(item, asked: asked)
      announceMissed(item.id)
    }
    // Nothing with a lower number comes any more.
    inbox.lastSeq = min(max(inbox.lastSeq ?? 0, changes.seq), 1 << 53)
    // Something was sent meanwhile.
    if !inbox.takeCount(changes.unreadCount, asked: asked) { doubt() }
    return Set(changes.deleted)
  }

  private func readFirstPage() async throws {
    let before = inbox.clock
    await sync().value
    if let error = loads[Inbox.main]?.error { throw error }
    // Ended before it began.
    if inbox.clock == before || inbox.lastSeq == nil { throw BelfryError(.unavailable) }
  }

  private func announceMissed(_ id: BelfryNotification.ID) {
    guard let shown = inbox[id], let seq = shown.seq, let announcedSeq, seq > announcedSeq else { return }
    if inbox.announce(id) { outlets.notifications.send(ReceivedNotification(shown, isMissed: true)) }
  }
}
