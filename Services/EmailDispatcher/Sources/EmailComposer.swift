import Dispatching
import Foundation
import NotificationModel
import NotificationQueue
import Transport

/// Writes a notification as a mail: plain text first, then the same in HTML. Pure.
struct EmailComposer {
  let sender: MIMEAddress
  let domain: String
  /// Names the deployment in `Feedback-ID`; nil: mails have none.
  var feedbackSender: String?
  /// Nil: the mail server signs.
  var signer: DKIMSigner?

  /// - Parameter headers: Names and values of more headers, after those that every mail has. They are bounded and checked as
  ///   ``MIMEMessage/extraHeaders`` are.
  /// - Throws: `TransportError` if something cannot stand in a header.
  func compose(_ targeted: TargetedDelivery, headers: [(String, String)] = []) throws(TransportError) -> [UInt8] {
    let (target, content) = (targeted.target, targeted.content)
    let message = MIMEMessage(
      from: sender,
      to: MIMEAddress(name: target.name, address: target.address),
      subject: content.title,
      // The same at every attempt, so that a mailbox can tell a repetition.
      messageID: "\(targeted.delivery.notificationId)@\(domain)",
      date: content.createdAt,
      text: content.body + "\n",
      html: Self.html(content),
      extraHeaders: extraHeaders(of: content) + headers.map { (name: $0.0, value: $0.1) }
    )
    let bytes = try message.encoded()
    return try signer?.sign(bytes) ?? bytes
  }

  private func extraHeaders(of content: NotificationContent) -> [(name: String, value: String)] {
    feedbackSender.map { [(name: "Feedback-ID", value: FeedbackID.value(content, sender: $0))] } ?? []
  }

  private static func html(_ content: NotificationContent) -> String {
    let paragraphs = escaped(content.body).split(whereSeparator: \.isNewline).map { "<p>\($0)</p>" }
      .joined(separator: "\n")
    return """
      <!DOCTYPE html>
      <html><head><meta charset="utf-8"><title>\(escaped(content.title))</title></head>
      <body style="font-family: sans-serif; line-height: 1.5">
      <h1 style="font-size: 1.25em">\(escaped(content.title))</h1>
      \(paragraphs)
      </body></html>

      """
  }

  private static func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
      .replacingOccurrences(of: ">", with: "&gt;").replacingOccurrences(of: "\"", with: "&quot;")
  }
}
