import Cryptography
import Dispatching
import Foundation
import NotificationModel
import NotificationQueue
import TestSupport
import Testing
import Transport

@testable import EmailDispatcher

/// Our signed mails, verified by dkimpy.
@Suite struct DKIMJudgeTests {
  private static let script = "Tests/EmailDispatcherTests/dkim_judge.py"

  private struct Case: Encodable {
    let mail: String
    let record: String
    let name: String
    let isGood: Bool
  }

  private let key: PrivateKey
  private let composer: EmailComposer

  init() throws {
    key = try PrivateKey(.rsa)
    composer = EmailComposer(
      sender: MIMEAddress(name: "Belfry", address: "belfry@example.com"),
      domain: "mail.example.com",
      feedbackSender: "exampleshop",
      signer: DKIMSigner(domain: "example.com", selector: "belfry2026", key: key)
    )
  }

  private func judged(_ mail: [UInt8], isGood: Bool) -> Case {
    Case(
      mail: Data(mail).base64EncodedString(),
      record: key.dkimRecord,
      name: "belfry2026._domainkey.example.com",
      isGood: isGood
    )
  }

  private func objections(_ cases: [Case]) throws -> [String] {
    let file = FileManager.default.temporaryDirectory.appending(path: "belfry-dkim-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    let lines = try cases.map { try JSONEncoder().encode($0) }
    try Data(lines.joined(separator: [UInt8(ascii: "\n")])).write(to: file)
    return try Python.lines(of: Self.script, [file.path]).map { String(decoding: $0, as: UTF8.self) }
  }

  private static let link = "<https://notify.example.com/unsubscribe/\(String(repeating: "aB3_-", count: 60))>"
  /// Of bulk mails: mailboxes show a button only where a signature covers them (RFC 8058, section 4).
  private static let listHeaders = [
    ("List-Unsubscribe", link), ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"),
    ("List-Id", #""Offers & News" <offers-news-0a1b2c3d.example.com>"#),
  ]

  private func mail(_ subject: String, _ body: String, name: String? = nil, isBulk: Bool = false) throws -> [UInt8] {
    let type = try #require(try Catalogue().type(.code(12)))
    let user = UserID(UUID())
    let request = try #require(RequestID("019a8b7c-6d5e-7f40-8123-456789abcdef"))
    let content = NotificationContent(
      type: type,
      text: type.template.render(title: subject, body: body, data: [:]),
      data: [:],
      relatedEntityType: nil,
      relatedEntityId: nil,
      collapseKey: nil,
      createdAt: Date(timeIntervalSince1970: 1_800_000_000),
      expiresAt: Date(timeIntervalSince1970: 1_800_086_400)
    )
    let delivery = DispatchMessage.Delivery(
      notificationId: NotificationID(request: request, recipient: user),
      userId: user,
      content: 0,
      badge: 0,
      targets: []
    )
    let target = DispatchMessage.Target(id: "mia@example.net", address: "mia@example.net", name: name)
    let targeted = TargetedDelivery(delivery: delivery, target: target, content: content)
    return try composer.compose(targeted, headers: isBulk ? Self.listHeaders : [])
  }

  @Test func `dkimpy verifies what is signed, in any language and form`() throws {
    let mails = try [
      mail("Hello", "World"), mail("", ""), mail("Grüße 👋", "漢字 — ok", name: "Zoë"),
      mail(
        String(repeating: "a long subject ", count: 40),
        String(repeating: "blanks  \t and \n\n\nlines ", count: 200)
      ),
      mail("  blanks  within  ", "\n\n\n"), mail("dots", ".\n..\n. dot\n"), mail("b=; d=evil.example", "h=from; bh=x"),
      mail("Hello", "World", isBulk: true), mail("Grüße", "漢字", name: "Zoë", isBulk: true),
    ]
    #expect(try objections(mails.map { judged($0, isGood: true) }) == [])
  }

  @Test func `dkimpy verifies whatever a dispatch message becomes`() throws {
    var cases: [Case] = []
    for message in try HostileMessages.dispatches().decoded where message.isConsistent && cases.count < 200 {
      for targeted in message.targetedDeliveries {
        guard let mail = try? composer.compose(targeted) else { continue }
        cases.append(judged(mail, isGood: true))
      }
    }
    #expect(cases.count > 100)
    #expect(try objections(cases) == [])
  }

  @Test func `dkimpy takes nothing that was changed or added`() throws {
    let mail = String(decoding: try mail("Hello", "World", isBulk: true), as: UTF8.self)
    let before = "Subject: Hello\r\n"
    let changed = [
      mail.replacing("/unsubscribe/aB3", with: "/unsubscribe/aB4"),
      mail.replacing(before, with: "\(before)List-Unsubscribe: <https://evil.example>\r\n"),
      mail.replacing("List-Unsubscribe=One-Click", with: "List-Unsubscribe=None"),
      mail.replacing(before, with: "\(before)List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n"),
      mail.replacing("offers-news-", with: "other-news-"), mail.replacing(":exampleshop", with: ":anothershop"),
      mail.replacing(before, with: "\(before)Content-Type: text/plain\r\n"),
      mail.replacing("Subject: Hello", with: "Subject: Hallo"), mail.replacing("World", with: "Wold"),
      mail.replacing("From: \"Belfry\" <belfry@example.com>", with: "From: \"Belfry\" <belfry@evil.example>"),
      mail.replacing("Subject: Hello\r\n", with: "Subject: Hello\r\nSubject: Pay now\r\n"),
      mail.replacing("Subject: Hello\r\n", with: "Subject: Hello\r\nReply-To: thief@evil.example\r\n"),
      mail.replacing("To: mia@example.net\r\n", with: "To: mia@example.net\r\nTo: thief@evil.example\r\n"),
      mail + "one more line\r\n",
    ]
    for text in changed { #expect(text != mail) }
    #expect(try objections(changed.map { judged(Array($0.utf8), isGood: false) }) == [])
    // What servers on the way may do is no change.
    let folded = mail.replacing("Subject: Hello\r\n", with: "subject:   Hello  \r\n") + "\r\n\r\n"
    #expect(try objections([judged(Array(folded.utf8), isGood: true)]) == [])
  }

  @Test func `the judge would say so`() throws {
    let mail = try mail("Hello", "World")
    #expect(try objections([judged(mail, isGood: false)]).count == 1)
    let other = Case(
      mail: Data(mail).base64EncodedString(),
      record: try PrivateKey(.rsa).dkimRecord,
      name: "belfry2026._domainkey.example.com",
      isGood: true
    )
    #expect(try objections([other]).count == 1)
  }

  @Test func `through Amazon SES, Message-ID and Date may be others`() throws {
    let signer = DKIMSigner(
      domain: "example.com",
      selector: "belfry2026",
      key: key,
      unsigned: DKIMConfiguration.rewritten(by: "email-smtp.eu-west-1.amazonaws.com")
    )
    let message = MIMEMessage(
      from: MIMEAddress(address: "belfry@example.com"),
      to: MIMEAddress(address: "mia@example.net"),
      subject: "Hello",
      messageID: "1@example.com",
      date: Date(timeIntervalSince1970: 1_800_000_000),
      text: "World"
    )
    let mail = String(decoding: try signer.sign(try message.encoded()), as: UTF8.self)
    let rewritten = mail.replacing("<1@example.com>", with: "<0102@eu-west-1.amazonses.com>")
      .replacing("Date: Fri, 15 Jan 2027", with: "Date: Sat, 16 Jan 2027")
    #expect(rewritten != mail)
    let feedback = "Feedback-ID: ::1.eu-west-1.x:AmazonSES\r\n" + rewritten
    #expect(try objections([rewritten, feedback].map { judged(Array($0.utf8), isGood: true) }) == [])
  }
}
