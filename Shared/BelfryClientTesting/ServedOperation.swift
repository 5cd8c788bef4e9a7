import BelfryClient
import Foundation

/// What is done to a notification on the server.
enum ServedOperation: Sendable, Equatable {
  case read, unread, seen, opened, archive, unarchive
  /// Nil: it comes back.
  case snooze(until: Date?)

  /// Whether it is one of all that a call without ids means.
  func isMeantByAll(_ item: BelfryNotification) -> Bool { item.place == .inbox }

  /// The notification afterwards; nil where it is so already.
  func apply(_ item: BelfryNotification, now: Date) -> BelfryNotification? {
    let now = now.rounded
    var state = item.state
    switch self {
    case .read:
      if item.isRead { return nil }
      state.readAt = now
      state.seenAt = state.seenAt ?? now
    case .unread:
      guard item.isRead else { return nil }
      state.seenAt = state.seenAt ?? state.readAt
      state.readAt = nil
    case .seen:
      if item.isRead || item.seenAt != nil { return nil }
      state.seenAt = now
    case .opened:
      if item.openedAt != nil { return nil }
      state.openedAt = now
      state.seenAt = state.seenAt ?? state.readAt ?? now
    case .archive:
      if item.archivedAt != nil { return nil }
      state.archivedAt = now
      state.snoozedUntil = nil
    case .unarchive:
      guard item.archivedAt != nil else { return nil }
      state.archivedAt = nil
    case .snooze(let until?):
      if item.snoozedUntil == until { return nil }
      state.snoozedUntil = until
      state.archivedAt = nil
    case .snooze(nil):
      guard item.snoozedUntil != nil else { return nil }
      state = BelfryNotification.State(openedAt: state.openedAt)
    }
    return item.with(state)
  }
}

extension BelfryNotification {
  /// What may be done to it.
  struct State: Sendable {
    var readAt: Date?
    var seenAt: Date?
    var openedAt: Date?
    var archivedAt: Date?
    var snoozedUntil: Date?
  }

  var state: State {
    State(
      readAt: isRead ? readAt ?? createdAt : nil,
      seenAt: seenAt,
      openedAt: openedAt,
      archivedAt: archivedAt,
      snoozedUntil: snoozedUntil
    )
  }

  func with(_ state: State) -> BelfryNotification { copy(id, seq: seq, createdAt: createdAt, state) }

  func with(seq: Int64) -> BelfryNotification { copy(id, seq: seq, createdAt: createdAt, state) }

  func with(id: UUID, createdAt: Date) -> BelfryNotification { copy(id, seq: seq, createdAt: createdAt, state) }

  private func copy(_ id: UUID, seq: Int64?, createdAt: Date, _ state: State) -> BelfryNotification {
    BelfryNotification(
      id: id,
      seq: seq,
      type: type,
      typeName: typeName,
      category: category,
      title: title,
      body: body,
      data: data,
      dataObject: dataObject,
      priority: priority,
      createdAt: createdAt,
      timeAgo: timeAgo,
      relatedEntity: relatedEntity,
      actions: actions,
      isRead: state.readAt != nil,
      readAt: state.readAt,
      seenAt: state.seenAt,
      openedAt: state.openedAt,
      archivedAt: state.archivedAt,
      snoozedUntil: state.snoozedUntil
    )
  }
}
