import Dispatching
import NotificationModel
import NotificationQueue
import Transport
import WallClock

/// Writes a notification as a mail: plain text first, then the same in HTML.
struct EmailComposer: Sendable {
  let sender: MIMEAddress
  let domain: String
  /// Has the types' mail texts and the layout; nil is the standard layout.
  var catalogue: @Sendable () -> Catalogue? = { nil }

  /// - Throws: `TransportError` if something cannot stand in a header.
  func compose(_ targeted: TargetedDelivery) throws(TransportError) -> [UInt8] {
    let (target, content) = (targeted.target, targeted.content)
    let mail = Mail(content, by: catalogue(), for: Self.reader(target, content))
    let message = MIMEMessage(
      from: sender,
      to: MIMEAddress(name: target.name, address: target.address),
      subject: mail.subject,
      // The same at every attempt, so that a mailbox can tell a repetition.
      messageID: "\(targeted.delivery.notificationId)@\(domain)",
      date: content.createdAt,
      text: mail.text,
      html: mail.html
    )
    return try message.encoded()
  }

  /// Messages of an earlier release have the locale of what is worded for it alone.
  private static func reader(_ target: DispatchMessage.Target, _ content: NotificationContent) -> Wording.Reader {
    Wording.Reader(locale: target.locale ?? content.locale, zone: target.zone.flatMap { Zone($0) })
  }
}
