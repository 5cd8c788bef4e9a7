import Dispatching
import MailReports
import Transport

/// Turns a mail server's reply into what is to be done. Pure.
enum MailServerAnswer {
  static let firstRetry: Duration = .seconds(10)
  /// What greylists want a new sender to wait: postgrey's default.
  static let greylisting: Duration = .seconds(300)
  /// How long a domain, or the server, that says that mails are too many gets none; then it gets fewer for a while.
  static let pause: Duration = .seconds(60)

  /// The reply's code decides between now, later and never; the enhanced status code (RFC 3463) tells whose fault a "never" is,
  /// where its class is the same. Gmail has `421 5.7.32`, which is a "later".
  static func result(_ reply: SMTPReply, messageID: String) -> DeliveryResult {
    if reply.accepted { return .delivered(providerID: ProviderMessageID.of(reply) ?? messageID) }
    let reason = ([String(reply.code), reply.enhancedCode].compactMap(\.self)).joined(separator: " ")
    guard reply.code >= 500 else { return later(reply, reason) }
    // The sender, or a password that is missing or wrong (RFC 4954): every mail would be refused.
    if reply.refusesSender || [530, 534, 535, 538].contains(reply.code) { return .deadLettered(reason: reason) }
    let detail = reply.enhancedCode.flatMap { $0.hasPrefix("5.") ? $0.dropFirst(2) : nil } ?? ""
    // The sender's address, or a policy: about us, not about the recipient.
    if ["1.7", "1.8"].contains(detail) || detail.hasPrefix("7.") { return .deadLettered(reason: reason) }
    // A server that minds us or the mail says so without a code to everybody: what does not name the address is no evidence.
    guard
      case .permanent(let code) = BounceVerdict(status: reply.enhancedCode, diagnostic: "\(reply.code) \(reply.text)"),
      !reply.refusesMail || isNamed(code, in: reply)
    else { return .rejected(reason: reason) }
    let evidence = "\(reply.code) \(code)"
    return switch code {
    // Disabled, says the standard; receives too much just now, say some. A full mailbox may be emptied.
    case "5.2.1", "5.2.2": .retry(reason: evidence, first: firstRetry, thenForgetsTarget: true)
    // The server's words say it.
    case "5.0.0": .rejected(reason: "\(evidence) no such address", forgetsTarget: true)
    // The address does not exist, or is none.
    default: .rejected(reason: evidence, forgetsTarget: true)
    }
  }

  /// What a refused target is forgotten for: the verdict's code, by which its evidence counts.
  static func code(ofReason reason: String) -> String {
    reason.split(separator: " ").dropFirst().first.map(String.init) ?? ""
  }

  /// Whether a refusal of the content gives this code itself, and it is the mailbox's: words, and codes that mean much, are about the mail then.
  private static func isNamed(_ code: String, in reply: SMTPReply) -> Bool {
    let given = reply.enhancedCode.flatMap { EnhancedStatus(leading: $0) }
    return ofMailbox.contains(code) && [given, EnhancedStatus(in: reply.text)].contains { $0?.text == code }
  }

  private static let ofMailbox = ["5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1", "5.2.2"]

  /// No reply: the server's trouble, but for what it has in full; then the recipient's domain may be what is slow.
  static func result(_ error: TransportError) -> DeliveryResult {
    let reason = "transport: \(error)"
    guard error.isServerTrouble else { return .retry(reason: reason, first: firstRetry) }
    let result = DeliveryResult.retry(reason: reason, first: firstRetry, isProviderTrouble: true)
    return error.mayHaveBeenProcessed ? result : .ofProvider(result)
  }

  /// What a 4xx asks for.
  private static func later(_ reply: SMTPReply, _ reason: String) -> DeliveryResult {
    // Only the words tell some of it; none of them is kept.
    let words = reply.text.lowercased()
    let detail = reply.enhancedCode.flatMap { $0.hasPrefix("4.") ? $0.dropFirst(2) : nil }
    if isGreylisting(reply, detail, words) { return .retry(reason: reason, first: firstRetry, after: greylisting) }
    if isTooMany(reply, detail, words) {
      let result = DeliveryResult.throttled(reason: reason, until: pause)
      return reply.refusesSender || isOfServer(words) ? .ofProvider(result) : result
    }
    let trouble = DeliveryResult.retry(reason: reason, first: firstRetry, isProviderTrouble: true)
    // The answer to MAIL, or a server that closes or has no room: nothing of it is about the recipient.
    if reply.refusesSender || detail?.hasPrefix("3.") == true || (reply.code == 421 && reply.enhancedCode == nil) {
      return .ofProvider(trouble)
    }
    // The way to the recipient's server.
    if detail?.hasPrefix("4.") == true { return trouble }
    return .retry(reason: reason, first: firstRetry)
  }

  private static func isGreylisting(_ reply: SMTPReply, _ detail: Substring?, _ words: String) -> Bool {
    if reply.refusesSender { return false }
    if words.contains("greylist") || words.contains("graylist") { return true }
    return [450, 451].contains(reply.code) && detail == "7.1"
  }

  /// `4.7.28` of Gmail, `4.7.500` to `4.7.699` of Microsoft, `421 4.7.0` of Yahoo, and what others say in words. Not of a mailbox.
  private static func isTooMany(_ reply: SMTPReply, _ detail: Substring?, _ words: String) -> Bool {
    if detail == "7.28" || (reply.code == 421 && detail == "7.0") { return true }
    if let number = detail.flatMap({ $0.hasPrefix("7.") ? Int($0.dropFirst(2)) : nil }), (500..<700).contains(number) {
      return true
    }
    if detail?.hasPrefix("2.") == true { return false }
    return tooMany.contains(where: words.contains)
  }

  private static let tooMany = [
    "rate limit", "rate-limit", "ratelimit", "throttl", "too many messages", "too many mails", "sending rate",
    "message quota", "unexpected volume",
  ]

  /// A provider's own limit, as of SES (`454 Throttling failure: Maximum sending rate exceeded`).
  private static func isOfServer(_ words: String) -> Bool {
    words.contains("sending rate") || words.contains("message quota")
  }
}
