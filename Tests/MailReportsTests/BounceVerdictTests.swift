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
    #expect(verdict(nil) == .permanent(code: "5.0.0"))
    // The queue's own failure: the words are of an earlier try.
    #expect(verdict("5.0.0", "smtp; 450 4.2.0 greylisted") == .permanent(code: "5.0.0"))
  }

  @Test(arguments: ["5", "5.1", "5.1.1.1", "6.1.1", "5.1000.1", "a.b.c", ""])
  func `what is no status counts as none`(_ text: String) {
    #expect(EnhancedStatus(leading: text) == nil)
    #expect(verdict(text) == .permanent(code: "5.0.0"))
  }
}
