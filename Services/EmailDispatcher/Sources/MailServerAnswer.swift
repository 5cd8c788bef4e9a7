import Dispatching
import Transport

/// Turns a mail server's reply into what is to be done. Pure.
enum MailServerAnswer {
  static let firstRetry: Duration = .seconds(10)

  /// The reply's code decides between now, later and never; the enhanced status code (RFC 3463) tells whose fault a "never" is,
  /// where its class is the same. Gmail has `421 5.7.32`, which is a "later".
  static func result(_ reply: SMTPReply, messageID: String) -> DeliveryResult {
    if reply.accepted { return .delivered(providerID: ProviderMessageID.of(reply) ?? messageID) }
    let reason = ([String(reply.code), reply.enhancedCode].compactMap(\.self)).joined(separator: " ")
    guard reply.code >= 500 else { return .retry(reason: reason, first: firstRetry) }
    // The sender, or a password that is missing or wrong (RFC 4954): every mail would be refused.
    if reply.refusesSender || [530, 534, 535, 538].contains(reply.code) { return .deadLettered(reason: reason) }
    let detail = reply.enhancedCode.flatMap { $0.hasPrefix("5.") ? $0.dropFirst(2) : nil } ?? ""
    switch detail {
    // The sender's address, or a policy: about us, not about the recipient.
    case "1.7", "1.8",
      _ where detail.hasPrefix("7."):
      return .deadLettered(reason: reason)
    // The address does not exist, or is none.
    case "1.1", "1.2", "1.3", "1.6", "1.10": return .rejected(reason: reason, forgetsTarget: true)
    // Disabled, says the standard; receives too much just now, say some.
    case "2.1": return .retry(reason: reason, first: firstRetry, thenForgetsTarget: true)
    // A full mailbox may be emptied.
    case "2.2": return .retry(reason: reason, first: firstRetry)
    default: return .rejected(reason: reason)
    }
  }
}
