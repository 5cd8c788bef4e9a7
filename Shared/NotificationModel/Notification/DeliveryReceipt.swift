public import Foundation

/// What a device shows when it reports that it has displayed a notification, or that somebody has opened it: the push brought it. It
/// opens nothing else, and no token of the user is needed.
public struct DeliveryReceipt: Sendable, Equatable {
  public let user: UserID
  public let notification: NotificationID
  public let device: DeviceID
  /// After that it is of no use; whole seconds.
  public let expiry: Date

  /// For how long after the notification itself has expired it may be reported what became of it.
  private static let grace: TimeInterval = 7 * 86_400

  public init(user: UserID, notification: NotificationID, device: DeviceID, expiry: Date) {
    self.user = user
    self.notification = notification
    self.device = device
    self.expiry = Date(timeIntervalSince1970: expiry.timeIntervalSince1970.rounded(.down))
  }

  /// Of a notification that expires then: the same at each attempt.
  public init(user: UserID, notification: NotificationID, device: DeviceID, notificationExpiry: Date) {
    self.init(user: user, notification: notification, device: device, expiry: notificationExpiry + Self.grace)
  }
}
