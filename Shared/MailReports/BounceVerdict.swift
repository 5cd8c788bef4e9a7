/// What a report of a failure says about the address. Pure.
///
/// Sources: RFC 3463; RFC 5321 section 4.2.3 for servers that give no enhanced code.
public enum BounceVerdict: Sendable, Equatable {
  /// It takes no mail, or not this time and perhaps never: with the code, by which repetition may be asked for.
  case permanent(code: String)
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
    // The reported class is what became of the mail; a server's 4.x.x after days of trying is a 5.x.x of the queue, or the contrary.
    let code =
      switch (reported, said) {
      case (let reported?, let said?) where reported.subject == 0 && reported.category == said.category: said
      case (let reported?, _): reported
      case (nil, let said): said ?? EnhancedStatus(5, 0, 0)
      }
    guard code.category == 5 else {
      self = .soft(code: code.text)
      return
    }
    self = Self.verdict(code, reply: diagnostic.flatMap(Self.reply))
  }

  private static func verdict(_ status: EnhancedStatus, reply: Int?) -> BounceVerdict {
    switch (status.subject, status.detail) {
    // The sender's address: ours.
    case (1, 7), (1, 8): .notTheAddress(code: status.text)
    // Address, mailbox, no way to its domain.
    case (1, _), (2, 0), (2, 1), (2, 2), (4, 1), (4, 4): .permanent(code: status.text)
    case (0, _):
      switch reply {
      case 552: .permanent(code: "5.2.2")
      case nil, 550, 551, 553: .permanent(code: status.text)
      // "Transaction failed": mostly a policy.
      default: .notTheAddress(code: status.text)
      }
    // Too large for the mailbox, its system, the way, the protocol, the content, policies.
    default: .notTheAddress(code: status.text)
    }
  }

  /// The reply's code in words such as `smtp; 550 no such user`.
  private static func reply(in text: String) -> Int? {
    let start = text.lowercased().hasPrefix("smtp;") ? text.dropFirst(5) : text[...]
    let digits = start.drop(while: \.isWhitespace).prefix { $0.isASCII && $0.isNumber }
    guard digits.count == 3, let code = Int(digits), (500...599).contains(code) else { return nil }
    return code
  }
}
