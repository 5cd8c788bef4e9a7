import Dispatching
import Foundation
import MailReports
import NotificationModel
import NotificationQueue
import NotificationStore

extension SuppressionEvidence {
  /// That the mail server refused an address so that it is of no use: what ``MailServerAnswer`` made of the answer's code.
  init(_ refused: ForgottenTarget, at now: Date) {
    // `550 5.1.1`, `552`, `550 no such address`
    let words = refused.reason.split(separator: " ")
    let code = words.dropFirst().first.flatMap { EnhancedStatus(leading: $0) }
    let kind: SuppressionEvidence.Kind =
      switch (code?.subject, code?.detail) {
      case (1, .some(1...10)), (1, 0), (2, 0), (4, _): .permanent(code?.text ?? "")
      case (2, _): .soft(code?.text ?? "")
      case _ where refused.reason.hasSuffix(MailServerAnswer.noSuchAddress): .permanent("5.0.0")
      case _ where words.first == "552": .soft("5.2.2")
      // Neither code nor words say whose fault it is.
      default: .soft("5.0.0")
      }
    self.init(
      address: refused.target.address,
      kind: kind,
      source: "smtp",
      diagnostic: refused.reason,
      at: now,
      deliveryOf: refused.notification.map { (user: refused.user, notification: $0) }
    )
  }
}
