import Dispatching
import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore

extension SuppressionEvidence {
  /// That the mail server refused an address so that it is of no use: what ``MailServerAnswer`` made of the answer's code.
  init(_ refused: ForgottenTarget, at now: Date) {
    // `550 5.1.1`
    let code = refused.reason.split(separator: " ").dropFirst().first.map(String.init) ?? ""
    self.init(
      address: refused.target.address,
      kind: ["5.2.1", "5.2.2"].contains(code) ? .soft(code) : .permanent(code),
      source: "smtp",
      diagnostic: refused.reason,
      at: now,
      deliveryOf: refused.notification.map { (user: refused.user, notification: $0) }
    )
  }
}
