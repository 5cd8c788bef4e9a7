public import Foundation
public import NotificationModel
public import NotificationQueue

/// A target that its provider knows no longer.
public struct ForgottenTarget: Sendable {
  public var user: UserID
  public var target: DispatchMessage.Target
  public var reason: String
  /// What was said of it later still counts; nil where the provider names no time.
  public var goneSince: Date?
  /// The notification that it was refused.
  public var notification: NotificationID?

  public init(
    user: UserID,
    target: DispatchMessage.Target,
    reason: String,
    goneSince: Date? = nil,
    notification: NotificationID? = nil
  ) {
    self.user = user
    self.target = target
    self.reason = reason
    self.goneSince = goneSince
    self.notification = notification
  }
}
