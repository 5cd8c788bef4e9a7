import Foundation

/// Sends what the user did. A failed operation is taken back alone, and reported.
extension UserSession {
  /// How far the ids of operations are from each other, so that the parts of one fit between it and the next.
  static let idsApart = 1 << 32
  /// How many ids of parts belong to a part that has parts itself.
  static let idsOfPart = 1 << 12

  func add(
    _ action: InboxOperation.Action,
    _ ids: [UUID],
    isAll: Bool = false,
    delay: Duration = .zero,
    settling: [Settlement] = []
  ) -> InboxOperation.ID {
    lastOperation += Self.idsApart
    let id = lastOperation
    if !settling.isEmpty { settlements.withLock { $0[id] = settling } }
    guard !isOver, inbox.operations.count < InboxQueue.maximumWaiting else {
      let error = BelfryError(isOver ? .ended : .full)
      settle(id, error)
      report(error)
      return id
    }
    let known = Array(ids.prefix(Inbox.maximumKept))
    var operation = InboxOperation(id: id, action, known, isAll: isAll, since: clock.now, delay: delay)
    operation.isWhole = isAll && known.count == inbox.unreadCount
    inbox.add(operation)
    inboxChanged()
    pump()
    return id
  }

  /// Takes back what was not sent yet; says whether that was so.
  func undo(_ id: InboxOperation.ID) -> Bool {
    guard let index = inbox.index(of: id), !inbox.operations[index].isSent else { return false }
    leave(id, nil)
    return true
  }

  /// Collected, and sent in one call.
  func markAsSeen(_ ids: [UUID]) {
    let wasEmpty = unsentSeen.isEmpty
    for id in ids where unsentSeen.count < limits.notificationIds {
      guard let item = inbox[id], item.seenAt == nil, sentSeen.insert(id) else { continue }
      unsentSeen.append(id)
    }
    if wasEmpty, !unsentSeen.isEmpty { _ = later(timing.seen) { $0.flushSeen() } }
  }

  func opened(_ id: UUID) {
    if inbox[id]?.openedAt == nil { _ = add(.opened, [id]) }
  }

  private func flushSeen() {
    let ids = unsentSeen
    unsentSeen = []
    if !ids.isEmpty { _ = add(.seen, ids) }
  }

  /// The way to the server is free again.
  func wake() {
    for operation in inbox.operations where operation.isSent {
      inbox.update(operation.id) { $0.notBefore = .distantPast }
    }
    pump()
  }

  /// The app goes: what waits is sent now.
  func flush() {
    flushSeen()
    for operation in inbox.operations where !operation.isSent {
      inbox.update(operation.id) { $0.notBefore = .distantPast }
    }
    pump()
  }

  /// Ends what waits for an operation; nil for one that was carried out.
  func settle(_ id: InboxOperation.ID, _ error: BelfryError?) {
    for settlement in take(id) { settlement.finish(throwing: error) }
  }

  private func take(_ id: InboxOperation.ID) -> [Settlement] {
    settlements.withLock { $0.removeValue(forKey: id) ?? [] }
  }

  // MARK: Sending

  private func pump() {
    pumping?.cancel()
    pumping = nil
    if isOver { return }
    let plan = queue.plan(inbox.operations, now: clock.now)
    for id in plan.sending { send(id) }
    if let next = plan.next {
      pumping = later(.seconds(max(0, next.timeIntervalSince(clock.now)))) { $0.pump() }
    }
  }

  private func send(_ id: InboxOperation.ID) {
    let asked = inbox.ask()
    inbox.update(id) { operation in
      operation.isSending = true
      operation.isSent = true
      operation.asked = asked
    }
    guard let index = inbox.index(of: id) else { return }
    let (operation, rest, limit) = (inbox.operations[index], rest, limits.notificationIds)
    lifetime.run { [weak self] in
      do {
        try await rest.carryOut(operation, limit: limit)
        await self?.succeed(id)
      } catch {
        // Cancelled by the system, if the user is still there.
        await self?.fail(id, error as? BelfryError ?? BelfryError(.unavailable))
      }
    }
  }

  private func succeed(_ id: InboxOperation.ID) {
    guard let index = inbox.index(of: id) else { return }
    let isAll = inbox.operations[index].isAll
    inbox.commit(id)
    settle(id, nil)
    if isAll || hub == nil { doubt() }
    inboxChanged()
    pump()
  }

  private func leave(_ id: InboxOperation.ID, _ error: BelfryError?) {
    inbox.drop(id)
    settle(id, error ?? BelfryError(.ended))
    inboxChanged()
    pump()
  }

  private func fail(_ id: InboxOperation.ID, _ error: BelfryError) {
    guard let index = inbox.index(of: id) else { return }
    if isOver { return leave(id, BelfryError(.ended)) }
    let operation = inbox.operations[index]
    switch queue.judge(operation, error, now: clock.now, timing: timing, jitter: jitter) {
    case .done: succeed(id)
    case .again(let next):
      inbox.update(id) { $0 = next }
      pump()
    case .apart: split(operation)
    case .gone:
      for id in operation.notifications { inbox.remove(id) }
      fallthrough
    case .failed:
      leave(id, error)
      if !operation.isQuiet { report(error) }
    }
  }

  /// The parts of an operation by themselves, in its place: calls first, then single notifications. It is settled when all of them are.
  private func split(_ operation: InboxOperation) {
    let isOneCall = operation.notifications.count <= limits.notificationIds
    let (size, apart) = isOneCall ? (1, 1) : (limits.notificationIds, Self.idsOfPart)
    inbox.drop(operation.id)
    var parts: [AsyncThrowingStream<Never, any Error>] = []
    for (number, ids) in operation.notifications.pieces(of: size).enumerated() {
      let part = InboxOperation(id: operation.id + (number + 1) * apart, operation.action, ids, since: operation.since)
      let (results, settlement) = AsyncThrowingStream<Never, any Error>.makeStream()
      settlements.withLock { $0[part.id] = [settlement] }
      inbox.add(part)
      parts.append(results)
    }
    lifetime.run { [weak self, parts] in
      var failure: BelfryError?
      for results in parts {
        do { for try await _ in results {} } catch { failure = error as? BelfryError }
      }
      if !Task.isCancelled { await self?.settle(operation.id, failure) }
    }
    inboxChanged()
    pump()
  }
}

extension [UUID] {
  /// In their order, no piece longer than that.
  fileprivate func pieces(of size: Int) -> [[UUID]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}

extension RESTClient {
  /// The call that an operation is.
  fileprivate func carryOut(_ operation: InboxOperation, limit: Int) async throws {
    let ids = operation.notifications
    if operation.isAll {
      _ = try await markNotificationsRead(nil)
    } else if operation.action == .read, ids.count > 1 {
      for piece in ids.pieces(of: limit) { _ = try await markNotificationsRead(piece) }
    } else if operation.action == .seen {
      _ = try await markNotificationsSeen(ids)
    } else if let id = ids.first {
      try await carryOut(operation.action, id)
    }
  }

  private func carryOut(_ action: InboxOperation.Action, _ id: UUID) async throws {
    switch action {
    case .read: _ = try await markNotificationRead(id)
    case .unread: _ = try await markNotificationUnread(id)
    case .archive: _ = try await archiveNotification(id)
    case .unarchive: _ = try await unarchiveNotification(id)
    case .snooze(let until): _ = try await snoozeNotification(id, until: until)
    case .unsnooze: _ = try await snoozeNotification(id, until: nil)
    case .remove: try await deleteNotification(id)
    case .opened: try await reportNotificationOpened(id)
    case .perform(let button): try await reportNotificationAction(id, button)
    case .seen: _ = try await markNotificationsSeen([id])
    }
  }
}
