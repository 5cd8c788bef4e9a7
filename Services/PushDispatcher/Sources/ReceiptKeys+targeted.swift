import Dispatching
import NotificationModel
import NotificationQueue

extension ReceiptKeys {
  /// The receipt of a push, which its device reports with; nil if there are none, or the target is no device.
  func text(for targeted: TargetedDelivery) -> String? {
    guard !isEmpty, let device = DeviceID(targeted.target.id) else { return nil }
    return text(
      of: DeliveryReceipt(
        user: targeted.delivery.userId,
        notification: targeted.delivery.notificationId,
        device: device,
        notificationExpiry: targeted.content.expiresAt
      )
    )
  }
}
