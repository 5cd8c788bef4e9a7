import Dispatching
import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore

extension SuppressionEvidence {
  /// That the mail server refused an address so that it is of no use: what ``MailServerAnswer`` found in the answer.
  init(_ refused: ForgottenTarget, at now: Date) {
    self.init(
      address: refused.target.address,
      kind: .permanent(MailServerAnswer.code(ofReason: refused.reason)),
      source: "smtp",
      diagnostic: refused.reason,
      at: now,
      deliveryOf: refused.notification.map { (user: refused.user, notification: $0) }
    )
  }
}
