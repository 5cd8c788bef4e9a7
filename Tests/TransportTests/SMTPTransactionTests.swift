import Testing

@testable import Transport

@Suite struct SMTPTransactionTests {
  private let envelope = SMTPEnvelope(
    sender: "from@example.org",
    recipients: ["a@example.org", "b@example.org"],
    message: Array("Subject: x\r\n\r\nx".utf8)
  )
  private let ok = SMTPReply(code: 250)

  private func text(_ action: SMTPTransaction.Action) -> String? {
    guard case .send(let bytes) = action else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `one command after the other to a server without pipelining`() throws {
    var transaction = try SMTPTransaction(envelope)
    #expect(transaction.begin(isPipelining: false) == Array("MAIL FROM:<from@example.org>\r\n".utf8))
    #expect(text(transaction.receive(ok)) == "RCPT TO:<a@example.org>\r\n")
    #expect(text(transaction.receive(ok)) == "RCPT TO:<b@example.org>\r\n")
    #expect(text(transaction.receive(ok)) == "DATA\r\n")
    #expect(!transaction.isSendingContent)
    #expect(text(transaction.receive(SMTPReply(code: 354))) == "Subject: x\r\n\r\nx\r\n.\r\n")
    #expect(transaction.isSendingContent)
    #expect(transaction.receive(ok) == .answer(ok, next: []))
  }

  @Test func `with pipelining all replies are taken before the first refusal counts`() throws {
    var transaction = try SMTPTransaction(envelope)
    #expect(
      String(decoding: transaction.begin(isPipelining: true), as: UTF8.self)
        == "MAIL FROM:<from@example.org>\r\nRCPT TO:<a@example.org>\r\nRCPT TO:<b@example.org>\r\nDATA\r\n"
    )
    let refusal = SMTPReply(code: 550, enhancedCode: "5.1.1", text: "no")
    #expect(transaction.receive(ok) == .wait)
    #expect(transaction.receive(refusal) == .wait)
    #expect(transaction.receive(SMTPReply(code: 551)) == .wait)
    #expect(transaction.receive(SMTPReply(code: 554)) == .answer(refusal, next: Array("RSET\r\n".utf8)))
    #expect(transaction.receive(ok) == .ready)
  }

  @Test func `with pipelining a message for some of its recipients is stopped by closing`() throws {
    var transaction = try SMTPTransaction(envelope)
    _ = transaction.begin(isPipelining: true)
    let refusal = SMTPReply(code: 452)
    _ = transaction.receive(ok)
    _ = transaction.receive(ok)
    _ = transaction.receive(refusal)
    #expect(transaction.receive(SMTPReply(code: 354)) == .answer(refusal, next: nil))
    #expect(!transaction.isSendingContent)
  }

  @Test(arguments: [true, false]) func `a probe asks about the sender alone`(isPipelining: Bool) throws {
    var transaction = try SMTPTransaction(probing: "from@example.org")
    #expect(transaction.begin(isPipelining: isPipelining) == Array("MAIL FROM:<from@example.org>\r\n".utf8))
    #expect(transaction.receive(ok) == .answer(ok, next: Array("RSET\r\n".utf8)))
    #expect(!transaction.isSendingContent)
    #expect(transaction.receive(ok) == .ready)
    let refusal = SMTPReply(code: 553, enhancedCode: "5.7.1")
    transaction = try SMTPTransaction(probing: "from@example.org")
    #expect(transaction.receive(refusal) == .answer(refusal, next: Array("RSET\r\n".utf8)))
    transaction = try SMTPTransaction(probing: "from@example.org")
    #expect(transaction.receive(SMTPReply(code: 354)) == .fail)
    #expect(throws: TransportError.self) { try SMTPTransaction(probing: "") }
  }

  @Test(arguments: 0..<4) func `a refusal of any command is the answer, and the transaction is reset`(step: Int) throws
  {
    var transaction = try SMTPTransaction(envelope)
    _ = transaction.begin(isPipelining: false)
    for _ in 0..<step { _ = transaction.receive(ok) }
    let refusal = SMTPReply(code: 451)
    // What is said to MAIL is about us, and to DATA about the mail.
    let reported = SMTPReply(code: 451, refusesSender: step == 0, refusesMail: step == 3)
    #expect(transaction.receive(refusal) == .answer(reported, next: Array("RSET\r\n".utf8)))
    #expect(!transaction.isSendingContent)
    #expect(transaction.receive(SMTPReply(code: 500)) == .fail)
  }

  @Test func `a refusal of the message itself needs no reset`() throws {
    var transaction = try SMTPTransaction(envelope)
    _ = transaction.begin(isPipelining: false)
    for _ in 0..<3 { _ = transaction.receive(ok) }
    _ = transaction.receive(SMTPReply(code: 354))
    let refused = SMTPReply(code: 554, enhancedCode: "5.7.1", text: "no", refusesMail: true)
    #expect(
      transaction.receive(SMTPReply(code: 554, enhancedCode: "5.7.1", text: "no")) == .answer(refused, next: [])
    )
  }

  @Test func `a reply out of place ends the connection`() throws {
    var transaction = try SMTPTransaction(envelope)
    _ = transaction.begin(isPipelining: false)
    #expect(transaction.receive(SMTPReply(code: 354)) == .fail)
  }

  @Test(arguments: [
    ("a\r\n.\r\nb\r\n", "a\r\n..\r\nb\r\n.\r\n"), (".a", "..a\r\n.\r\n"), ("\r\n..", "\r\n...\r\n.\r\n"),
    ("x.y\r\n", "x.y\r\n.\r\n"),
  ])
  func `leading dots are doubled`(message: String, sent: String) throws {
    var transaction = try SMTPTransaction(
      SMTPEnvelope(sender: "", recipients: ["a@example.org"], message: Array(message.utf8))
    )
    #expect(transaction.begin(isPipelining: false) == Array("MAIL FROM:<>\r\n".utf8))
    for _ in 0..<2 { _ = transaction.receive(ok) }
    #expect(text(transaction.receive(SMTPReply(code: 354))) == sent)
  }

  @Test(arguments: ["a\n.\nb", "a\r.\r\n", "a\r", "\n", "a\r\r\n", ""])
  func `a message with bare CR or LF, or none, is refused`(message: String) {
    let error = #expect(throws: TransportError.self) {
      try SMTPTransaction(SMTPEnvelope(sender: "", recipients: ["a@example.org"], message: Array(message.utf8)))
    }
    #expect(error?.code == .invalidRequest("message"))
  }

  @Test func `reply lines are put together`() {
    var parser = SMTPReplyParser()
    func receive(_ line: String) -> SMTPReply? {
      Array(line.utf8).withUnsafeBytes { parser.receive($0) }
    }
    #expect(receive("220 mx.example.org ready\r\n")?.code == 220)
    #expect(receive("250-mx.example.org\r\n") == nil)
    #expect(receive("250-PIPELINING\r\n") == nil)
    #expect(receive("250 SIZE 100\r\n") == SMTPReply(code: 250, text: "mx.example.org PIPELINING SIZE 100"))
    #expect(parser.offersPipelining)
    #expect(receive("nonsense\r\n") == nil)
    #expect(receive("550-5.7.26 one\r\n") == nil)
    #expect(receive("550 5.7.26 two\r\n") == SMTPReply(code: 550, enhancedCode: "5.7.26", text: "one two"))
    #expect(receive("250 4.0.0 not of its class\n") == SMTPReply(code: 250, text: "4.0.0 not of its class"))
    #expect(receive("421\r\n") == SMTPReply(code: 421))
    #expect(receive("220 again\r\n") != nil)
    #expect(!parser.offersPipelining)
  }
}
