/// What a failure says about the address: of a mail that came back, of a provider's report, and of a mail server's answer alike. Pure.
///
/// Sources: RFC 3463; RFC 5321 section 4.2.3 for servers that give no enhanced code.
public enum BounceVerdict: Sendable, Equatable {
  /// It takes no mail, or not this time and perhaps never: with the code, by which repetition may be asked for.
  case permanent(code: String)
  /// Neither code nor words say whose fault it is: only repetition tells.
  case unclear(code: String)
  /// The mail did not arrive, which says nothing of the next one.
  case soft(code: String)
  /// It is about us, our mail or the way: nothing about the address.
  case notTheAddress(code: String)

  /// - Parameters:
  ///   - status: As the report has it.
  ///   - diagnostic: The server's words: many reports have a status of `5.0.0`, and the server's own code only there.
  public init(status: String?, diagnostic: String?) {
    let reported = status.flatMap { EnhancedStatus(leading: $0) }
    let said = diagnostic.flatMap { EnhancedStatus(in: $0) }
    let reply = diagnostic.flatMap(Self.reply)
    let code =
      switch (reported, said) {
      case (let reported?, let said?) where reported.subject == 0 && reported.category == 5: said
      case (let reported?, _): reported
      case (nil, let said): said ?? EnhancedStatus(5, 0, 0)
      }
    // A server that is away, full or greylisting for days makes a failure of the queue. Exim writes 5.0.0 for it, and the words of the last try.
    let isForNow = reply.map { (400...499).contains($0) } ?? false
    guard code.category == 5, !isForNow else {
      self = .soft(code: (2...4).contains(code.category) ? code.text : "4.0.0")
      return
    }
    self = Self.verdict(code, reply: reply, words: BounceWords(diagnostic ?? ""))
  }

  /// Of a provider that calls it a failure for good: its word counts where the server's say nothing, or it hands none on.
  public static func confirmed(status: String?, diagnostic: String?) -> BounceVerdict {
    switch BounceVerdict(status: status, diagnostic: diagnostic) {
    case .unclear(let code): .permanent(code: code)
    // Where nothing more is said, no queue was tired of a server that is away: the provider would not call that permanent.
    case .notTheAddress(code: "5.0.0") where BounceWords(diagnostic ?? "") == .none: .permanent(code: "5.0.0")
    case let verdict: verdict
    }
  }

  private static func verdict(_ status: EnhancedStatus, reply: Int?, words: BounceWords) -> BounceVerdict {
    switch (status.subject, status.detail) {
    // The sender's address: ours.
    case (1, 7), (1, 8): .notTheAddress(code: status.text)
    // Some say so of the sender, too.
    case (1, 0), (2, 0):
      [.ours, .noRelay].contains(words) ? .notTheAddress(code: status.text) : .permanent(code: status.text)
    // Microsoft's "access denied" is said to an address that is not there, "relay access denied" to a domain that is set up elsewhere.
    case (4, 1) where words == .noRelay: .notTheAddress(code: status.text)
    // Address, mailbox, no way to its domain.
    case (1, 1...10), (2, 1), (2, 2), (4, 1), (4, 4): .permanent(code: status.text)
    case (1, _): .unclear(code: "5.0.0")
    case (0, _): verdict(reply: reply, words)
    // Too large for the mailbox, its system, the way, the protocol, the content, policies.
    default: .notTheAddress(code: status.text)
    }
  }

  /// Without a code that says more. Blocklists, policies and checks of the sender are answered with 550, too.
  private static func verdict(reply: Int?, _ words: BounceWords) -> BounceVerdict {
    switch (words, reply) {
    case (.noSuchAddress, _): .permanent(code: "5.0.0")
    case (.ours, _), (.noRelay, _): .notTheAddress(code: "5.0.0")
    case (.forNow, _): .soft(code: "4.0.0")
    case (.other, 552): .permanent(code: "5.2.2")
    case (.other, nil), (.other, 550), (.other, 551), (.other, 553): .unclear(code: "5.0.0")
    // "Transaction failed": mostly a policy. Without any word the queue may have been tired of a server that is away.
    case (.other, _), (.none, _): .notTheAddress(code: "5.0.0")
    }
  }

  /// The reply's code in words such as `smtp; 550 no such user`.
  private static func reply(in text: String) -> Int? {
    let start = text.lowercased().hasPrefix("smtp;") ? text.dropFirst(5) : text[...]
    let digits = start.drop(while: \.isWhitespace).prefix { $0.isASCII && $0.isNumber }
    guard digits.count == 3, let code = Int(digits), (400...599).contains(code) else { return nil }
    return code
  }
}
