public import Foundation

/// A notification that waited on a channel, came due, and is to be delivered: what composition must know of it.
public struct HeldItem: Sendable {
  /// What it shares with others that are delivered as one, because its type asks for it.
  public struct Gathering: Sendable {
    /// As the digest's template makes it of the request's data; empty where the type has none.
    public var key: String
    /// What the digest says.
    public var texts: LocalizedTemplate

    public init(key: String, texts: LocalizedTemplate) {
      self.key = key
      self.texts = texts
    }
  }

  public var id: NotificationID
  public var type: Int
  /// As it was rendered when it was accepted.
  public var title: String
  public var data: [String: String]
  public var reason: HoldReason
  public var due: Date
  /// What quiet hours do to its type.
  public var policy: QuietHoursPolicy
  /// Nil unless its type has a digest on this channel.
  public var gathering: Gathering?

  public init(
    id: NotificationID,
    type: Int,
    title: String,
    data: [String: String],
    reason: HoldReason,
    due: Date,
    policy: QuietHoursPolicy,
    gathering: Gathering? = nil
  ) {
    self.id = id
    self.type = type
    self.title = title
    self.data = data
    self.reason = reason
    self.due = due
    self.policy = policy
    self.gathering = gathering
  }

  /// Whether it is delivered as one with whatever else was held.
  var isComposed: Bool { policy == .compose && (reason == .quietHours || reason == .paused) }
}
