import Foundation

/// What the user did to notifications: its effect on the list, until the server says the same.
struct InboxOperation: Sendable, Equatable, Identifiable {
  /// What is done.
  enum Action: Sendable, Equatable {
    case read, unread, archive, unarchive, remove, seen, opened, unsnooze
    case snooze(until: Date)
    /// A button of this id.
    case perform(String)
  }

  let id: Int
  let action: Action
  /// Those that it concerns, each once.
  var notifications: [UUID]
  /// Whether the call names no notification, and means all.
  var isAll = false
  /// Whether these are all that there were when the user did it, so that none has to be left out where they are named.
  var isWhole = false
  /// How long it can be taken back.
  let delay: Duration
  /// When the user did it.
  let since: Date

  // MARK: How far it is

  /// When it may be sent at the earliest.
  var notBefore: Date
  /// The question of the inbox with which it was sent the last time.
  var asked = 0
  /// How often sending has failed, for whatever reason.
  var failures = 0
  /// How often the server has answered that it cannot.
  var refusals = 0
  /// How often sending has failed, but for want of a network.
  var attempts = 0
  var isSending = false
  /// Whether it was sent, so that it cannot be undone any more.
  var isSent = false

  init(
    id: Int,
    _ action: Action,
    _ notifications: [UUID],
    isAll: Bool = false,
    since: Date,
    delay: Duration = .zero
  ) {
    self.id = id
    self.action = action
    self.notifications = notifications
    self.isAll = isAll
    self.since = since
    self.delay = delay
    notBefore = since.addingTimeInterval(delay.inSeconds)
  }

  /// Whether nobody waits for it, so that a failure is not reported.
  var isQuiet: Bool { action == .seen || action == .opened }

  /// What it makes of a notification; nil takes it away.
  func apply(_ notification: BelfryNotification) -> BelfryNotification? {
    switch action {
    case .remove: nil
    case .perform: notification
    case .read:
      notification.with {
        $0.isRead = true
        $0.readAt = $0.readAt ?? since
        $0.seenAt = $0.seenAt ?? since
      }
    case .unread:
      notification.with {
        $0.isRead = false
        $0.seenAt = $0.seenAt ?? $0.readAt
        $0.readAt = nil
      }
    case .archive:
      notification.with {
        $0.archivedAt = $0.archivedAt ?? since
        $0.snoozedUntil = nil
      }
    case .unarchive: notification.with { $0.archivedAt = nil }
    case .snooze(let until):
      notification.with {
        $0.snoozedUntil = until
        $0.archivedAt = nil
      }
    case .unsnooze:
      notification.with {
        $0.snoozedUntil = nil
        $0.isRead = false
        $0.readAt = nil
        $0.seenAt = nil
      }
    case .seen: notification.with { $0.seenAt = $0.seenAt ?? since }
    case .opened:
      notification.with {
        $0.openedAt = $0.openedAt ?? since
        $0.seenAt = $0.seenAt ?? since
      }
    }
  }
}
