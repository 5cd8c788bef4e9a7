import Foundation
import Testing

@testable import Simulator

struct SMTPSessionTests {
  private struct Client {
    var session: SMTPSession
    var judge: SMTPSession.Judge = { _, _ in .none }
    var mails: [SMTPEnvelope] = []

    init(_ policy: SMTPPolicy = SMTPPolicy()) { session = SMTPSession(policy: policy) }

    /// Says one line and answers the reply's code and enhanced code.
    @discardableResult
    mutating func say(_ line: String) -> String {
      let outcome =
        session.mode == .data
        ? session.receive(dataLine: Array(line.utf8), isBare: false, judge: judge)
        : session.receive(line: Array(line.utf8), judge: judge)
      if let mail = outcome.mail { mails.append(mail) }
      guard let reply = outcome.reply else { return "" }
      return reply.enhancedCode.map { "\(reply.code) \($0)" } ?? "\(reply.code)"
    }

    @discardableResult
    mutating func say(all lines: String...) -> [String] { lines.map { say($0) } }
  }

  @Test func `several mails go over one connection`() {
    var client = Client()
    let replies = client.say(
      all: "EHLO me",
      "MAIL FROM:<a@x> SIZE=10 BODY=8BITMIME",
      "RCPT TO:<b@x>",
      "RCPT TO:<c@x>",
      "DATA",
      "Subject: S",
      "",
      "..dotted",
      "."
    )
    #expect(replies == ["250", "250 2.1.0", "250 2.1.5", "250 2.1.5", "354", "", "", "", "250 2.0.0"])
    client.say(all: "MAIL FROM:<>", "RCPT TO:<d@x>", "DATA", ".")
    #expect(client.mails.count == 2)
    #expect(client.mails[0].recipients == ["b@x", "c@x"])
    #expect(String(decoding: client.mails[0].message, as: UTF8.self) == "Subject: S\r\n\r\n.dotted\r\n")
    #expect(client.mails[1].sender == "")
    #expect(client.mails[1].client == "me")
  }

  @Test func `commands out of order are refused`() {
    var client = Client()
    #expect(client.say("MAIL FROM:<a@x>") == "503 5.5.1")
    client.say("EHLO me")
    #expect(client.say("RCPT TO:<b@x>") == "503 5.5.1")
    #expect(client.say("DATA") == "503 5.5.1")
    client.say("MAIL FROM:<a@x>")
    #expect(client.say("MAIL FROM:<a@x>") == "503 5.5.1")
    #expect(client.say("DATA") == "554 5.5.1")
    client.say("RSET")
    #expect(client.say("RCPT TO:<b@x>") == "503 5.5.1")
  }

  @Test(arguments: [
    ("MAIL FROM:a@x", "501 5.5.4"), ("MAIL FROM:<a@x> FOO=1", "555 5.5.4"), ("MAIL FROM:<a@x>x", "501 5.5.4"),
    ("MAIL FROM:<a@x> SIZE=10485761", "552 5.3.4"), ("MAIL FROM:<a x@y>", "501 5.5.4"), ("MAIL FROM:<a>", "501 5.5.4"),
    ("EHLO", "501 5.5.4"), ("FOO", "500 5.5.2"), ("VRFY x", "252 2.5.2"), ("noop", "250 2.0.0"), ("", "500 5.5.2"),
  ])
  func `a malformed command is refused`(_ line: String, _ reply: String) {
    var client = Client()
    client.say("EHLO me")
    #expect(client.say(line) == reply)
  }

  @Test func `a recipient can be made to fail, the others are not touched`() {
    var client = Client()
    client.judge = { recipient, stage in
      guard recipient == "bad@x", stage == .recipient else { return .none }
      return FaultDecision(effect: FaultEffect(kind: .smtp, smtpCode: 550, enhancedCode: "5.1.1", text: "No such user"))
    }
    client.say(all: "EHLO me", "MAIL FROM:<a@x>")
    #expect(client.say("RCPT TO:<bad@x>") == "550 5.1.1")
    #expect(client.say("RCPT TO:<good@x>") == "250 2.1.5")
    client.say(all: "DATA", ".")
    #expect(client.mails.map(\.recipients) == [["good@x"]])
  }

  @Test func `a message can be kept although the reply says otherwise`() {
    var client = Client()
    var effect = FaultEffect(kind: .smtp, smtpCode: 451)
    effect.stage = .message
    effect.accepts = true
    client.judge = { [effect] _, stage in stage == .message ? FaultDecision(effect: effect) : .none }
    client.say(all: "EHLO me", "MAIL FROM:<a@x>", "RCPT TO:<b@x>", "DATA")
    #expect(client.say(".") == "451 4.3.0")
    #expect(client.mails.count == 1)
  }

  @Test func `a bare LF, an overlong line and an overlong message spoil the message`() {
    var client = Client(SMTPPolicy(maximumMessage: 100))
    client.say(all: "EHLO me", "MAIL FROM:<a@x>", "RCPT TO:<b@x>", "DATA")
    _ = client.session.receive(dataLine: Array(".".utf8), isBare: true, judge: client.judge)
    #expect(client.say(".") == "550 5.6.0")
    client.say(all: "MAIL FROM:<a@x>", "RCPT TO:<b@x>", "DATA")
    _ = client.session.receiveOverlongLine()
    #expect(client.say(".") == "554 5.6.0")
    client.say(all: "MAIL FROM:<a@x>", "RCPT TO:<b@x>", "DATA", String(repeating: "x", count: 99))
    #expect(client.say(".") == "552 5.3.4")
    #expect(client.mails.isEmpty)
  }

  @Test func `STARTTLS forgets what was said before`() {
    var client = Client()
    client.say(all: "EHLO me", "MAIL FROM:<a@x>")
    #expect(client.say("STARTTLS") == "220 2.0.0")
    client.session.startedTLS()
    #expect(client.say("MAIL FROM:<a@x>") == "503 5.5.1")
    client.say("EHLO me")
    #expect(client.say("STARTTLS") == "503 5.5.1")
    client.say(all: "MAIL FROM:<a@x>", "RCPT TO:<b@x>", "DATA", ".")
    #expect(client.mails.first?.isEncrypted == true)
  }

  @Test func `AUTH PLAIN and LOGIN accept the configured user only`() {
    let encode = { (text: String) in Data(text.utf8).base64EncodedString() }
    var client = Client(SMTPPolicy(requiresAuthentication: true))
    client.say("EHLO me")
    #expect(client.say("MAIL FROM:<a@x>") == "530 5.7.0")
    #expect(client.say("AUTH PLAIN " + encode("\0belfry\0wrong")) == "535 5.7.8")
    #expect(client.say("AUTH PLAIN") == "334")
    #expect(client.say("*") == "501 5.7.0")
    #expect(client.say("AUTH PLAIN !") == "501 5.5.2")
    #expect(client.say("AUTH CRAM-MD5") == "504 5.5.4")
    #expect(client.say(all: "AUTH LOGIN", encode("belfry"), encode("belfry")) == ["334", "334", "235 2.7.0"])
    #expect(client.say("AUTH PLAIN") == "503 5.5.1")
    client.say(all: "MAIL FROM:<a@x>", "RCPT TO:<b@x>", "DATA", ".")
    #expect(client.mails.first?.user == "belfry")
  }

  @Test func `replies of several lines join them with hyphens`() {
    #expect(SMTPReply(code: 250, lines: ["a", "b"]).text == "250-a\r\n250 b\r\n")
    #expect(SMTPReply(550, "5.1.1", "No").text == "550 5.1.1 No\r\n")
  }

  @Test func `headers are unfolded and encoded words decoded`() {
    let message =
      "Subject: =?utf-8?Q?Caf=C3=A9_au?=\r\n =?UTF-8?B?IGxhaXQ=?=\r\nMessage-ID: <1@x>\r\n\r\nSubject: no\r\n"
    let headers = MailHeaders(message: Array(message.utf8))
    #expect(headers.fields.count == 2)
    #expect(headers["message-id"] == "<1@x>")
    #expect(headers["Subject"].map(EncodedWords.decode) == "Café au lait")
    #expect(EncodedWords.decode("plain =?x?Q?y?= and =?utf-8?Q?=zz?=") == "plain =?x?Q?y?= and =?utf-8?Q?=zz?=")
  }
}
