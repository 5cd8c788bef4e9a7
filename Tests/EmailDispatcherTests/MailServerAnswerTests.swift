import Dispatching
import Testing
import Transport

@testable import EmailDispatcher

@Suite struct MailServerAnswerTests {
  private func result(_ code: Int, _ enhanced: String? = nil, _ text: String = "mia@example.com") -> DeliveryResult {
    MailServerAnswer.result(SMTPReply(code: code, enhancedCode: enhanced, text: text), messageID: "m@d")
  }

  @Test func `an accepted mail is recorded under its Message-ID`() {
    #expect(result(250, "2.0.0") == .delivered(providerID: "m@d"))
    #expect(result(250) == .delivered(providerID: "m@d"))
  }

  @Test(arguments: [450, 451, 452])
  func `a 4xx is tried again after ten seconds at the earliest`(_ code: Int) {
    #expect(result(code) == .retry(reason: "\(code)", first: .seconds(10)))
    #expect(result(code, "4.2.1") == .retry(reason: "\(code) 4.2.1", first: .seconds(10)))
  }

  @Test(
    arguments: [
      (450, "4.7.1", "Come back later"), (451, "4.7.1", "Come back later"),
      (450, "4.2.0", "<mia@example.com>: Recipient address rejected: Greylisted, see http://postgrey.example/help"),
      (451, nil, "Graylisted, please try again in 300 seconds"),
    ] as [(Int, String?, String)]
  )
  func `a greylist is asked again after five minutes`(_ code: Int, _ enhanced: String?, _ text: String) {
    let reason = enhanced.map { "\(code) \($0)" } ?? "\(code)"
    #expect(result(code, enhanced, text) == .retry(reason: reason, first: .seconds(10), after: .seconds(300)))
  }

  @Test(
    arguments: [
      (421, "4.7.28", "Our system has detected an unusual rate of mail"), (450, "4.7.28", ""),
      (421, "4.7.0", "[TSS04] deferred"),
      (451, "4.7.500", "Server busy"), (451, "4.7.652", "exceeded the maximum number of connections"),
      (452, "4.3.0", "Rate limit exceeded"), (451, nil, "too many messages, slow down"),
    ] as [(Int, String?, String)]
  )
  func `too many mails pause the recipient's domain and count no attempt`(
    _ code: Int,
    _ enhanced: String?,
    _ text: String
  ) {
    let reason = enhanced.map { "\(code) \($0)" } ?? "\(code)"
    #expect(result(code, enhanced, text) == .throttled(reason: reason, until: .seconds(60)))
  }

  @Test(
    arguments: [
      (454, nil, "Throttling failure: Maximum sending rate exceeded."),
      (454, "4.7.0", "Throttling failure: Daily message quota exceeded"),
    ] as [(Int, String?, String)]
  )
  func `a limit of the mail server itself pauses all domains`(_ code: Int, _ enhanced: String?, _ text: String) {
    let reason = enhanced.map { "\(code) \($0)" } ?? "\(code)"
    #expect(result(code, enhanced, text) == .ofProvider(.throttled(reason: reason, until: .seconds(60))))
  }

  @Test func `a mailbox that gets too much, or is full, is no limit of its domain`() {
    #expect(result(450, "4.2.1", "rate limit of this user") == .retry(reason: "450 4.2.1", first: .seconds(10)))
    #expect(result(452, "4.2.2", "message quota") == .retry(reason: "452 4.2.2", first: .seconds(10)))
  }

  @Test func `a server that closes, has no room or refuses the sender for now is in trouble, whoever the recipient is`()
  {
    func trouble(_ reason: String) -> DeliveryResult {
      .ofProvider(.retry(reason: reason, first: .seconds(10), isProviderTrouble: true))
    }
    #expect(result(421) == trouble("421"))
    #expect(result(452, "4.3.1") == trouble("452 4.3.1"))
    let sender = SMTPReply(code: 450, enhancedCode: "4.7.1", refusesSender: true)
    #expect(MailServerAnswer.result(sender, messageID: "m@d") == trouble("450 4.7.1"))
    #expect(
      result(451, "4.4.1") == .retry(reason: "451 4.4.1", first: .seconds(10), isProviderTrouble: true),
      "the way to the recipient's server is the domain's"
    )
  }

  @Test(arguments: ["5.1.0", "5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.0", "5.4.1", "5.4.4"])
  func `an address that does not exist, or is none, is not written to again`(_ enhanced: String) {
    #expect(result(550, enhanced) == .rejected(reason: "550 \(enhanced)", forgetsTarget: true))
  }

  @Test func `a server that does not relay for the domain says nothing of the address`() {
    #expect(result(550, "5.4.1", "Relay Access Denied") == .rejected(reason: "550 5.4.1"))
  }

  @Test(arguments: ["5.2.3", "5.3.4", "5.6.0"])
  func `any other refusal is final and keeps the address`(_ enhanced: String) {
    #expect(result(550, enhanced) == .rejected(reason: "550 \(enhanced)"))
  }

  @Test(arguments: ["5.1.7", "5.1.8", "5.7.0", "5.7.1", "5.7.26", "5.7.515"])
  func `what is about us or our policy is dead-lettered, not lost`(_ enhanced: String) {
    #expect(result(550, enhanced) == .deadLettered(reason: "550 \(enhanced)"))
  }

  @Test func `a refusal of the sender or of our password is ours, whatever the code`() {
    let refusal = SMTPReply(code: 550, enhancedCode: "5.1.1", refusesSender: true)
    #expect(MailServerAnswer.result(refusal, messageID: "m@d") == .deadLettered(reason: "550 5.1.1"))
    for code in [530, 534, 535, 538] { #expect(result(code) == .deadLettered(reason: "\(code)")) }
  }

  @Test func `a full mailbox may have room later, and is evidence in the end`() {
    #expect(result(552, "5.2.2") == .retry(reason: "552 5.2.2", first: .seconds(10), thenForgetsTarget: true))
    #expect(result(552, nil, "quota") == .retry(reason: "552 5.2.2", first: .seconds(10), thenForgetsTarget: true))
  }

  @Test func `a mailbox that is disabled again and again is given up`() {
    #expect(result(550, "5.2.1") == .retry(reason: "550 5.2.1", first: .seconds(10), thenForgetsTarget: true))
  }

  @Test func `without an enhanced code the words say whose fault it is`() {
    #expect(result(550, nil, "no such user") == .rejected(reason: "550 5.0.0 no such address", forgetsTarget: true))
    #expect(result(550, "5.0.0", "User unknown") == .rejected(reason: "550 5.0.0 no such address", forgetsTarget: true))
    #expect(result(550, nil, "listed at zen.example.org") == .rejected(reason: "550"))
    #expect(result(554, nil, "no") == .rejected(reason: "554"))
    #expect(
      result(550, nil, "Requested action not taken: 5.1.1 unknown")
        == .rejected(reason: "550 5.1.1", forgetsTarget: true),
      "a code among the words is one"
    )
  }

  @Test(arguments: [
    "Domain example.com has exceeded the max emails per hour", "Account suspended", "domain not verified", "no",
  ])
  func `what names neither an address nor a mailbox may be about us, and is no evidence, however often it is said`(
    _ words: String
  ) {
    #expect(result(550, nil, words) == .rejected(reason: "550"))
    #expect(result(550, "5.0.0", words) == .rejected(reason: "550 5.0.0"))
    #expect(result(550, "5.1.100", words) == .rejected(reason: "550 5.1.100"))
  }

  @Test func `a refusal of the whole mail is about its address only where the code says so`() {
    func result(_ code: Int, _ enhanced: String?, _ text: String) -> DeliveryResult {
      let reply = SMTPReply(code: code, enhancedCode: enhanced, text: text, refusesMail: true)
      return MailServerAnswer.result(reply, messageID: "m@d")
    }
    for enhanced in ["5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10"] {
      #expect(result(550, enhanced, "") == .rejected(reason: "550 \(enhanced)", forgetsTarget: true))
      #expect(result(550, nil, "\(enhanced) gone") == .rejected(reason: "550 \(enhanced)", forgetsTarget: true))
    }
    for enhanced in ["5.2.1", "5.2.2"] {
      #expect(
        result(552, enhanced, "") == .retry(reason: "552 \(enhanced)", first: .seconds(10), thenForgetsTarget: true)
      )
    }
    for (code, enhanced, text) in [
      (554, "5.2.0", "STOREDRV.Submission.Exception:SendAsDeniedException"), (550, "5.1.0", "no"),
      (550, "5.4.1", "no"), (550, "5.4.4", "no"), (550, nil, "no such user"), (550, "5.0.0", "user unknown"),
      (552, nil, "no"), (550, nil, "no"),
    ] as [(Int, String?, String)] {
      let reason = enhanced.map { "\(code) \($0)" } ?? "\(code)"
      #expect(result(code, enhanced, text) == .rejected(reason: reason))
    }
    #expect(result(550, "5.7.1", "no") == .deadLettered(reason: "550 5.7.1"))
  }

  @Test func `the reply's code decides where the two differ`() {
    #expect(result(421, "5.7.32") == .retry(reason: "421 5.7.32", first: .seconds(10)))
    #expect(result(450, "5.1.1") == .retry(reason: "450 5.1.1", first: .seconds(10)))
    #expect(result(550, "4.7.1") == .rejected(reason: "550 4.7.1"))
  }

  @Test func `a reason never repeats the server's words, which may hold the address`() {
    for code in [250, 450, 550] { #expect(!String(describing: result(code)).contains("mia@")) }
  }
}
