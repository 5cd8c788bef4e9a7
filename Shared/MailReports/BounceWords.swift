/// What a server's words say of a failure, where no code does. Pure.
enum BounceWords: Equatable {
  /// There is no such mailbox.
  case noSuchAddress
  /// About the sender, the mail, or a policy.
  case ours
  /// The server passes on no mail for that domain, or not ours: also about the way.
  case noRelay
  /// It may pass by itself.
  case forNow
  case other
  /// There are none.
  case none

  init(_ text: String) {
    // Addresses are no words of the server's: one may be `policy@example.com`.
    let words = text.prefix(1_000).lowercased().split(whereSeparator: \.isWhitespace).filter { !$0.contains("@") }
    guard !words.isEmpty else {
      self = .none
      return
    }
    let said = words.joined(separator: " ")
    func says(_ phrases: [String]) -> Bool { phrases.contains(where: said.contains) }
    self =
      if says(Self.ofSenderAlone) {
        .ours
      } else if says(Self.unknown) {
        .noSuchAddress
      } else if says(["relay"]) {
        .noRelay
      } else if says(Self.ofSender) || said.replacing("mailbox size", with: "").contains("size") {
        .ours
      } else if says(Self.passing) {
        .forNow
      } else {
        .other
      }
  }

  /// Asked first: whoever asks our own server about the sender quotes what that says, "no such user".
  private static let ofSenderAlone = [
    "sender verif", "verification failed for", "sender address", "sender unknown", "unknown sender",
  ]

  private static let unknown = [
    "user unknown", "unknown user", "no such user", "user not found", "user does not exist", "user doesn't exist",
    "unknown recipient", "recipient unknown", "no such recipient", "recipient not found", "recipient does not exist",
    "no such mailbox", "mailbox not found", "mailbox does not exist", "mailbox doesn't exist", "no mailbox",
    "unknown mailbox", "no such address", "unknown address", "address unknown", "address does not exist",
    "no such account", "account does not exist", "unknown local part", "invalid recipient", "recipient invalid",
    "user invalid", "invalid mailbox", "unrouteable address", "unroutable address",
  ]

  /// Besides a size, unless it is the mailbox's.
  private static let ofSender = [
    "spam", "block", "blacklist", "denylist", "listed", "dnsbl", "rbl", "policy", "policies", "spf", "dkim", "dmarc",
    "authenticat", "reputation", "sender", "helo", "ehlo", "reverse dns", "rdns", "ptr record", "content",
    "virus", "malware", "phish", "too large", "too big", "attachment", "not allowed", "not permitted", "access denied",
    "banned", "abuse", "unsolicited", "rejected your", "too many", "rate limit", "hop count", "loop",
  ]

  private static let passing = [
    "timed out", "timeout", "try again", "temporar", "greylist", "graylist", "unreachable", "connection refused",
    "retry", "delivery time expired", "no route to host",
  ]
}
