import Dispatching
import Transport

/// Turns a mail server's reply into what is to be done. Pure.
enum MailServerAnswer {
  static let firstRetry: Duration = .seconds(10)

  /// The enhanced status code (RFC 3463) decides where there is one, else the reply's first digit.
  ///
  /// 5.1.1, 5.1.2, 5.1.6 and 5.1.10 say that the address does not exist: it is not written to again. 5.7.x is about us, not
  /// about the address.
  static func result(_ reply: SMTPReply, messageID: String) -> DeliveryResult {
    if reply.accepted { return .delivered(providerID: messageID) }
    let reason = ([String(reply.code), reply.enhancedCode].compactMap(\.self)).joined(separator: " ")
    let isPermanent = reply.enhancedCode.map { $0.hasPrefix("5.") } ?? (reply.code >= 500)
    // A full mailbox may be emptied.
    guard isPermanent, reply.enhancedCode != "5.2.2" else { return .retry(reason: reason, first: firstRetry) }
    let isGone = ["5.1.1", "5.1.2", "5.1.6", "5.1.10"].contains(reply.enhancedCode)
    return .rejected(reason: reason, forgetsTarget: isGone)
  }
}
