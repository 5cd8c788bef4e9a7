import Dispatching
import NotificationModel
import NotificationQueue

extension ReturnPath {
  /// Where a mail returns, the same at every attempt; nil if there is no such address.
  func address(for targeted: TargetedDelivery) -> String? {
    address(for: targeted.delivery.userId, targeted.delivery.notificationId)
  }
}
