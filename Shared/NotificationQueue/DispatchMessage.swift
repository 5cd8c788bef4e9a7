public import Foundation
public import NotificationModel

/// Work for a push or email dispatcher: up to ``maximumDeliveries`` deliveries and what they say.
///
/// Contents stand apart from deliveries, since a group's notifications all say the same.
public struct DispatchMessage: Sendable {
  public static let maximumDeliveries = 100
  /// Of ``attempt``: far beyond what any setting allows.
  static let maximumAttempt = 10_000

  /// One notification of one recipient, to all its targets on this channel.
  public struct Delivery: Sendable {
    public var notificationId: NotificationID
    public var userId: UserID
    /// Index into ``DispatchMessage/contents``.
    public var content: Int
    /// The recipient's unread count, for the app's badge.
    public var badge: Int
    /// Whether the recipient wants pushes to make a sound.
    public var hasSound: Bool
    /// Whether the recipient wants pushes to set the app's badge.
    public var hasBadge: Bool
    public var targets: [Target]

    public init(
      notificationId: NotificationID,
      userId: UserID,
      content: Int,
      badge: Int,
      hasSound: Bool = true,
      hasBadge: Bool = true,
      targets: [Target]
    ) {
      self.notificationId = notificationId
      self.userId = userId
      self.content = content
      self.badge = badge
      self.hasSound = hasSound
      self.hasBadge = hasBadge
      self.targets = targets
    }
  }

  public typealias Target = DeliveryTarget

  /// Version 1 has devices and addresses alone: a dispatcher that does not know topics must not take one for a device's token.
  public var v: Int { deliveries.contains { $0.targets.contains { $0.audience != nil } } ? 2 : 1 }
  public static let versions = 1...2

  /// How often these deliveries have failed already.
  public var attempt: Int
  /// When the first attempt failed; nil before that.
  public var failingSince: Date?
  /// Until when it waits, if that is no tier's end: none of it is tried before.
  public var notBefore: Date?
  /// True if some target may have been reached already, so that outcomes must be looked up first.
  public var recheck: Bool
  public var contents: [NotificationContent]
  public var deliveries: [Delivery]

  public init(
    attempt: Int = 0,
    failingSince: Date? = nil,
    notBefore: Date? = nil,
    recheck: Bool,
    contents: [NotificationContent],
    deliveries: [Delivery]
  ) {
    self.attempt = attempt
    self.failingSince = failingSince
    self.notBefore = notBefore
    self.recheck = recheck
    self.contents = contents
    self.deliveries = deliveries
  }

  /// Whether every index points at a content.
  public var isConsistent: Bool { deliveries.allSatisfy { contents.indices.contains($0.content) } }

  /// The same contents with other deliveries; contents that nothing points at are left out.
  public func keeping(
    _ deliveries: [Delivery],
    attempt: Int,
    failingSince: Date?,
    notBefore: Date? = nil,
    recheck: Bool
  ) -> DispatchMessage {
    var selection = ContentSelection(of: contents)
    let moved = deliveries.map { delivery in
      var delivery = delivery
      delivery.content = selection.take(delivery.content)
      return delivery
    }
    return DispatchMessage(
      attempt: attempt,
      failingSince: failingSince,
      notBefore: notBefore,
      recheck: recheck,
      contents: selection.contents,
      deliveries: moved
    )
  }
}
