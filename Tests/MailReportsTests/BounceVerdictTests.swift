import MailReports
import Testing

@Suite struct BounceVerdictTests {
  private func verdict(_ status: String?, _ diagnostic: String? = nil) -> BounceVerdict {
    BounceVerdict(status: status, diagnostic: diagnostic)
  }

  @Test(arguments: ["5.1.0", "5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.0", "5.2.1", "5.2.2", "5.4.1", "5.4.4"])
  func `an address or mailbox that takes no mail is a permanent failure`(_ status: String) {
    #expect(verdict(status) == .permanent(code: status))
  }

  @Test(arguments: [
    "5.1.7", "5.1.8", "5.2.3", "5.3.0", "5.3.4", "5.4.6", "5.5.2", "5.6.1", "5.7.1", "5.7.26", "5.7.515",
  ])
  func `what is about us, our mail or the way says nothing of the address`(_ status: String) {
    #expect(verdict(status, "smtp; 550 \(status) no") == .notTheAddress(code: status))
  }

  @Test(arguments: ["4.1.1", "4.2.2", "4.4.7", "4.7.28", "4.0.0", "2.0.0"])
  func `a failure for now is soft, also after days`(_ status: String) {
    #expect(verdict(status, "smtp; 550 5.1.1 gone") == .soft(code: status))
  }

  @Test func `a status that says nothing leaves it to the server's words`() {
    #expect(verdict("5.0.0", "smtp; 550 5.1.1 <ann@example.net>: unknown") == .permanent(code: "5.1.1"))
    #expect(verdict("5.0.0", "smtp; 550-5.7.26 unauthenticated") == .notTheAddress(code: "5.7.26"))
    #expect(verdict(nil, "smtp;550 5.1.1 gone") == .permanent(code: "5.1.1"))
    #expect(verdict("5.0.0", "smtp; 550 no such user") == .permanent(code: "5.0.0"))
    #expect(verdict("5.0.0", "smtp; 552 quota exceeded") == .permanent(code: "5.2.2"))
    #expect(verdict("5.0.0", "smtp; 554 rejected as spam") == .notTheAddress(code: "5.0.0"))
  }

  /// Exim writes 5.0.0 for each, and the words of the last try if there was an answer.
  @Test(arguments: [
    "smtp; 450 4.2.0 greylisted", "smtp; 451 try again later", "smtp; 452 mailbox full", "smtp; 421 too busy",
    "smtp; connection timed out", "smtp; 550 4.4.2 connection dropped",
  ])
  func `a server that says later for days suppresses nobody`(_ words: String) {
    for status in ["5.0.0", nil] {
      guard case .soft(let code) = verdict(status, words) else {
        Issue.record("\(status ?? "") \(words): \(verdict(status, words))")
        continue
      }
      #expect(code.hasPrefix("4."))
    }
    #expect(verdict("5.4.1", "smtp; 450 no answer") == .soft(code: "4.0.0"))
  }

  @Test func `without status and words nothing is said of the address`() {
    #expect(verdict("5.0.0") == .notTheAddress(code: "5.0.0"))
    #expect(verdict(nil) == .notTheAddress(code: "5.0.0"))
  }

  @Test(arguments: [
    "Message rejected as spam", "203.0.113.7 is listed at zen.example.org", "SPF check failed", "Sender verify failed",
    "relaying denied", "rejected by local policy", "Your IP has a poor reputation", "message size exceeds the limit",
  ])
  func `what is about the sender or the mail is ours, though no code says so`(_ words: String) {
    for reply in [550, 551, 552, 553] {
      #expect(verdict("5.0.0", "smtp; \(reply) \(words)") == .notTheAddress(code: "5.0.0"))
    }
    #expect(verdict("5.1.0", "smtp; 550 5.1.0 <news@example.com> sender rejected") == .notTheAddress(code: "5.1.0"))
  }

  @Test func `a mailbox that is full is no mail that is too large`() {
    for words in ["mailbox size exceeded", "Mailbox size limit exceeded", "over quota", "no storage left"] {
      #expect(verdict("5.0.0", "smtp; 552 \(words)") == .permanent(code: "5.2.2"))
    }
    for words in [
      "Message size exceeds fixed limit", "exceeds the size limit for mails", "e-mail size exceeded", "too big",
      "Size limit exceeded", "message exceeds maximum size", "message exceeds size limit", "data size exceeded",
      "message exceeds the mailbox size limit: its size is 12 MB",
    ] {
      #expect(verdict("5.0.0", "smtp; 552 \(words)") == .notTheAddress(code: "5.0.0"))
      #expect(
        BounceVerdict.confirmed(status: "5.0.0", diagnostic: "smtp; 552 \(words)") == .notTheAddress(code: "5.0.0")
      )
    }
  }

  @Test func `a server that does not relay for a domain says nothing of the address, and one that denies access does`()
  {
    for words in ["Relay Access Denied", "<ann@example.net>: relaying not allowed", "Unable to relay"] {
      #expect(verdict("5.4.1", "smtp; 550 5.4.1 \(words)") == .notTheAddress(code: "5.4.1"))
    }
    for words in ["Recipient address rejected: Access denied", "no such user in relay table", ""] {
      #expect(verdict("5.4.1", "smtp; 550 5.4.1 \(words)") == .permanent(code: "5.4.1"))
    }
  }

  /// Exim's callout, of several lines, as reports and answers join them; Postfix's check of a sender.
  @Test(arguments: [
    "550-Verification failed for <bounces+a@example.com> 550-No Such User Here 550 Sender verify failed",
    "550 Sender address rejected: undeliverable address: host mx.example.com said: user unknown",
    "550 Sender unknown: no such user", "550 Unknown sender: mailbox not found",
  ])
  func `whose own address a server did not find says nothing of the recipient's`(_ words: String) {
    for status in ["5.0.0", nil] {
      #expect(verdict(status, "smtp; \(words)") == .notTheAddress(code: "5.0.0"))
      #expect(verdict(status, words) == .notTheAddress(code: "5.0.0"))
    }
  }

  @Test(arguments: [
    "no such user", "User unknown in relay recipient table", "<policy@example.net>: Recipient not found",
    "sorry, no mailbox here by that name", "The account does not exist",
  ])
  func `words that name the address are as good as a code`(_ words: String) {
    #expect(verdict("5.0.0", "smtp; 550 \(words)") == .permanent(code: "5.0.0"))
  }

  @Test(arguments: [
    "smtp; 550 mailbox unavailable", "smtp; 550 no", "x-unix; exit status 1", "smtp; 553 <a@b.example>: no",
  ])
  func `what says neither counts only on repetition, unless a provider is sure`(_ words: String) {
    #expect(verdict("5.0.0", words) == .unclear(code: "5.0.0"))
    #expect(BounceVerdict.confirmed(status: "5.0.0", diagnostic: words) == .permanent(code: "5.0.0"))
    #expect(BounceVerdict.confirmed(status: "5.0.0", diagnostic: "smtp; 550 spam") == .notTheAddress(code: "5.0.0"))
  }

  @Test func `a provider that calls a failure permanent is believed without a word, a bounce is not`() {
    for (status, words) in [("5.0.0", nil), (nil, ""), ("5.0.0", " "), (nil, nil)] as [(String?, String?)] {
      #expect(BounceVerdict.confirmed(status: status, diagnostic: words) == .permanent(code: "5.0.0"))
      #expect(verdict(status, words) == .notTheAddress(code: "5.0.0"))
    }
    #expect(BounceVerdict.confirmed(status: "5.7.1", diagnostic: nil) == .notTheAddress(code: "5.7.1"))
    #expect(BounceVerdict.confirmed(status: "4.2.2", diagnostic: nil) == .soft(code: "4.2.2"))
  }

  @Test(arguments: ["5", "5.1", "5.1.1.1", "6.1.1", "5.1000.1", "a.b.c", ""])
  func `what is no status counts as none`(_ text: String) {
    #expect(EnhancedStatus(leading: text) == nil)
    #expect(verdict(text) == .notTheAddress(code: "5.0.0"))
    #expect(verdict(text, "550 5.1.1 gone") == .permanent(code: "5.1.1"))
  }
}
