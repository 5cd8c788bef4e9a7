public import Foundation
public import NotificationModel

/// One channel of one notification that waits.
public struct HeldEntry: Sendable, Equatable {
  public struct Key: Sendable, Hashable {
    public var user: UserID
    public var notification: NotificationID
    public var channel: Channel

    public init(user: UserID, notification: NotificationID, channel: Channel) {
      self.user = user
      self.notification = notification
      self.channel = channel
    }
  }

  public var key: Key
  public var due: Date
  public var reason: HoldReason
  public var type: Int
  /// What shares a digest with it; nil where its type has none.
  public var digestKey: String?
  /// What is counted together with it; nil where its type has no throttle.
  public var throttleKey: String?
  public var collapseKey: String?
  /// The composition that it is in, if that is stored already.
  public var composedIn: NotificationID?

  public init(
    key: Key,
    due: Date,
    reason: HoldReason,
    type: Int,
    digestKey: String? = nil,
    throttleKey: String? = nil,
    collapseKey: String? = nil,
    composedIn: NotificationID? = nil
  ) {
    self.key = key
    self.due = due
    self.reason = reason
    self.type = type
    self.digestKey = digestKey
    self.throttleKey = throttleKey
    self.collapseKey = collapseKey
    self.composedIn = composedIn
  }
}

/// Entries that came due and are one claimant's until ``until``; then anybody may claim them again.
public struct HeldClaim: Sendable {
  /// Also the claim's name: the next claim of a row has a later one.
  public var until: Date
  /// By user, channel and notification, which is oldest first.
  public var entries: [HeldEntry]

  public init(until: Date, entries: [HeldEntry]) {
    self.until = until
    self.entries = entries
  }

  /// As all lock who lock several: by user, notification and channel. So claimants and those who change settings, withdraw or
  /// erase do not wait for each other for ever.
  var inLockOrder: [HeldEntry.Key] {
    entries.map(\.key).sorted { ($0.user, $0.notification, $0.channel) < ($1.user, $1.notification, $1.channel) }
  }
}
