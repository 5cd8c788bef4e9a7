import BelfryClient
import Foundation

/// A user's inbox on the server, with what changed in it. Knows no wire.
struct ServedInbox: Sendable {
  /// What is told to the user's connections.
  enum Effect: Sendable {
    case read(UUID)
    case changed(BelfryNotification)
    case deleted(UUID)
  }

  /// What changed of a notification that clients may know.
  private struct Change: Sendable {
    let number: Int
    /// The inbox's latest `seq` at that time.
    let seq: Int64
    let id: UUID
  }

  /// Changes that are kept, and notifications of one operation up to which each is.
  static let maximumChanges = 500
  static let maximumTold = 100

  private var items: [UUID: BelfryNotification] = [:]
  /// The oldest first.
  private var order: [UUID] = []
  private(set) var seq: Int64 = 0
  private(set) var change = 0
  private var changes: [Change] = []
  /// The latest change that is not kept.
  private var lost: (number: Int, seq: Int64)?

  // MARK: Reading

  subscript(_ id: UUID) -> BelfryNotification? { items[id] }

  var unread: Int { items.values.count { $0.isUnread } }
  var unseen: Int { items.values.count { $0.isUnread && $0.seenAt == nil } }

  /// The newest one first.
  func list(before: UUID? = nil, where matches: (BelfryNotification) -> Bool) -> [BelfryNotification] {
    let older = before.map { before in order.prefix { $0.precedes(before) } } ?? order[...]
    return older.reversed().compactMap { items[$0] }.filter(matches)
  }

  /// The oldest one first.
  func missed(since: Int64) -> [BelfryNotification] {
    order.compactMap { items[$0] }.filter { $0.seq ?? 0 > since }
  }

  /// What became of those up to a `seq`.
  ///
  /// - Parameter change: The last one that is known; nil: all since `since` was the latest.
  func changed(
    since: Int64,
    after change: Int? = nil
  ) -> (changed: [BelfryNotification], deleted: [UUID], isComplete: Bool) {
    let ids = changes.filter { entry in change.map { entry.number > $0 } ?? (entry.seq >= since) }.map(\.id)
    let isComplete = lost.map { lost in change.map { $0 >= lost.number } ?? (since > lost.seq) } ?? true
    return (
      ids.compactMap { items[$0] }.filter { $0.seq ?? 0 <= since }, ids.filter { items[$0] == nil }, isComplete
    )
  }

  // MARK: Changing

  /// Numbers a notification and keeps it.
  mutating func add(_ notification: BelfryNotification) -> BelfryNotification {
    seq += 1
    let item = notification.with(seq: seq)
    if items.updateValue(item, forKey: item.id) == nil {
      let index = order.lastIndex { $0.precedes(item.id) }.map { $0 + 1 } ?? 0
      order.insert(item.id, at: index)
    }
    return item
  }

  /// Does something to some notifications, or to all of the inbox; what is as it should be already does not count.
  mutating func apply(_ operation: ServedOperation, to ids: [UUID]?, now: Date) -> [Effect] {
    let ids = ids ?? order.filter { items[$0].map(operation.isMeantByAll) ?? false }
    var effects: [Effect] = []
    for id in ids {
      guard let item = items[id], let next = operation.apply(item, now: now) else { continue }
      items[id] = next
      effects.append(operation == .read ? .read(id) : .changed(next))
    }
    note(effects)
    return effects
  }

  /// For good.
  mutating func remove(_ ids: [UUID]) -> [Effect] {
    let gone = ids.filter { items.removeValue(forKey: $0) != nil }
    let set = Set(gone)
    order.removeAll { set.contains($0) }
    let effects = gone.map(Effect.deleted)
    note(effects)
    return effects
  }

  /// Snoozed ones whose time has come are back, as new.
  mutating func wake(now: Date) -> [Effect] {
    let due = order.filter { id in (items[id]?.snoozedUntil).map { $0 <= now } ?? false }
    return due.isEmpty ? [] : apply(.snooze(until: nil), to: due, now: now)
  }

  private mutating func note(_ effects: [Effect]) {
    guard !effects.isEmpty else { return }
    change += 1
    guard effects.count <= Self.maximumTold else {
      lost = (change, seq)
      return
    }
    for effect in effects {
      changes.removeAll { $0.id == effect.id }
      changes.append(Change(number: change, seq: seq, id: effect.id))
    }
    while changes.count > Self.maximumChanges {
      let first = changes.removeFirst()
      lost = (max(first.number, lost?.number ?? 0), max(first.seq, lost?.seq ?? 0))
    }
  }
}

extension ServedInbox.Effect {
  var id: UUID {
    switch self {
    case .read(let id), .deleted(let id): id
    case .changed(let item): item.id
    }
  }
}
