import Dispatching
import Logging
import NotificationModel
import NotificationQueue
import Transport
import WallClock

/// Writes a notification as a mail: plain text first, then the same in HTML.
struct EmailComposer: Sendable {
  let sender: MIMEAddress
  let domain: String
  /// Names the deployment in `Feedback-ID`; nil: mails have none.
  var feedbackSender: String?
  /// Has the types' mail texts and the layout; nil is the standard layout.
  var catalogue: @Sendable () -> Catalogue? = { nil }
  /// Hears of layouts that cannot be filled in.
  var logger: Logger?
  /// Nil: the mail server signs.
  var signer: DKIMSigner?

  /// - Parameters:
  ///   - headers: Names and values of more headers, after those that every mail has. They are bounded and checked as
  ///     ``MIMEMessage/extraHeaders`` are.
  ///   - unsubscribe: A link for the mail's end, with which the reader stops such mails; nil if there is none.
  /// - Throws: `TransportError` if something cannot stand in a header.
  func compose(
    _ targeted: TargetedDelivery,
    headers: [(String, String)] = [],
    unsubscribe: String? = nil
  ) throws(TransportError) -> [UInt8] {
    let (target, content) = (targeted.target, targeted.content)
    let mail = Mail(content, by: catalogue(), for: Self.reader(target, content), unsubscribe: unsubscribe)
    if !mail.hasOwnLayout {
      let metadata: Logger.Metadata = [
        "type": "\(content.typeName)", "notification": "\(targeted.delivery.notificationId)",
      ]
      logger?.error("the catalogue's mail layout cannot be filled in: the standard one is used", metadata: metadata)
    }
    let message = MIMEMessage(
      from: sender,
      to: MIMEAddress(name: target.name, address: target.address),
      subject: mail.subject,
      // The same at every attempt, so that a mailbox can tell a repetition.
      messageID: "\(targeted.delivery.notificationId)@\(domain)",
      date: content.createdAt,
      text: mail.text,
      html: mail.html,
      extraHeaders: extraHeaders(of: content) + headers.map { (name: $0.0, value: $0.1) }
    )
    let bytes = try message.encoded()
    return try signer?.sign(bytes) ?? bytes
  }

  private func extraHeaders(of content: NotificationContent) -> [(name: String, value: String)] {
    feedbackSender.map { [(name: "Feedback-ID", value: FeedbackID.value(content, sender: $0))] } ?? []
  }

  /// Messages of an earlier release have the locale of what is worded for it alone.
  private static func reader(_ target: DispatchMessage.Target, _ content: NotificationContent) -> Wording.Reader {
    Wording.Reader(locale: target.locale ?? content.locale, zone: target.zone.flatMap { Zone($0) })
  }
}
