import Foundation

/// What the hub sends. Nothing of it may be a second time, or late.
extension Inbox {
  /// - Parameter isMissed: Whether it came while there was no connection: below the first page it is in that page's count.
  /// - Returns: Whether it was not there yet.
  @discardableResult
  mutating func receive(_ item: BelfryNotification, isMissed: Bool = false) -> Bool {
    highestSeq = min(max(highestSeq, item.seq ?? 0), 1 << 53)
    if entry(item.id) != nil || deleted.contains(item.id) { return false }
    changed()
    set(item.id, item, at: clock, isSent: !(isMissed && item.id.precedes(firstFloor)))
    trim()
    return true
  }

  /// - Returns: Whether it is where it was before, and read or not as it was.
  mutating func change(_ item: BelfryNotification) -> Bool {
    if deleted.contains(item.id) { return true }
    let before = entry(item.id)?.item
    changed()
    set(item.id, item, at: clock, isSent: true)
    trim()
    guard let before else { return false }
    return before.isRead == item.isRead && before.place == item.place
  }

  /// - Returns: Whether it was read before.
  mutating func read(_ id: UUID, now: Date) -> Bool {
    let before = entry(id)?.item
    changed()
    if let before {
      let item = before.with {
        $0.isRead = true
        $0.readAt = $0.readAt ?? now
        $0.seenAt = $0.seenAt ?? now
      }
      set(id, item, at: clock, isSent: true)
    }
    return before?.isRead ?? false
  }

  mutating func remove(_ id: UUID) {
    changed()
    deleted.insert(id)
    set(id, nil, at: clock, isSent: true)
  }

  /// Beyond a hundred, reading is sent as the count alone: 0 reads all.
  mutating func readAll(now: Date) {
    for id in ids(from: SortedIDs.bottom) {
      guard let item = entry(id)?.item, item.isUnread else { continue }
      let read = item.with {
        $0.isRead = true
        $0.readAt = $0.readAt ?? now
        $0.seenAt = $0.seenAt ?? now
      }
      set(id, read, at: ask(), isSent: false)
    }
    drift = 0
  }

  /// Says whether that was to be expected; nil for what is no count.
  mutating func takeCount(_ value: Int?, isAnswer: Bool) -> Bool? {
    guard let value, (0...(1 << 53)).contains(value) else { return nil }
    let isExpected = count.map { $0 + drift == value } ?? true
    if !isAnswer {
      changed()
      countedAt = changedAt
    }
    count = value
    drift = 0
    return isExpected
  }

  /// The server has carried it out: what came since it was sent is newer.
  mutating func commit(_ id: Int) {
    guard let index = index(of: id) else { return }
    let operation = operations[index]
    let isUnchanged = changedAt <= operation.asked
    changed()
    for id in operation.notifications {
      if operation.action == .remove { deleted.insert(id) }
      guard let entry = entry(id), entry.at <= operation.asked else { continue }
      set(id, operation.apply(entry.item), at: clock, isSent: true)
    }
    if operation.isAll, isUnchanged {
      count = knownUnread
      drift = 0
    }
    drop(id)
  }

  /// Whether a notification has not been announced yet.
  mutating func announce(_ id: UUID) -> Bool { announced.insert(id) }
}

extension Inbox {
  /// An answer says that it is in no list any more: its count knows that.
  mutating func forget(_ id: UUID) {
    deleted.insert(id)
    set(id, nil, at: ask(), isSent: false)
  }
}
