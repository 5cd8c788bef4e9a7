import Dispatching
import Foundation
import NotificationModel
import NotificationQueue
import TestSupport
import Testing
import Transport

@testable import EmailDispatcher

@Suite struct EmailComposerTests {
  private let composer = EmailComposer(
    sender: MIMEAddress(name: "Belfry", address: "belfry@example.com"),
    domain: "mail.example.com"
  )
  private let delivery: DispatchMessage.Delivery

  init() throws {
    let user = try #require(UserID("6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b"))
    let request = try #require(RequestID("019a8b7c-6d5e-7f40-8123-456789abcdef"))
    delivery = DispatchMessage.Delivery(
      notificationId: NotificationID(request: request, recipient: user),
      userId: user,
      content: 0,
      badge: 0,
      targets: []
    )
  }

  private func compose(
    title: String = "Hello",
    body: String = "World",
    name: String? = "Mia",
    mail: MailHandling = .standard,
    feedbackSender: String? = nil,
    headers: [(String, String)] = [],
    unsubscribe: String? = nil,
    locale: String? = nil,
    by other: EmailComposer? = nil
  ) throws -> String {
    let type = try #require(try Catalogue().type(.code(12)))
    var content = NotificationContent(
      type: type,
      text: type.template.render(title: title, body: body, data: [:]),
      data: [:],
      relatedEntityType: nil,
      relatedEntityId: nil,
      collapseKey: nil,
      createdAt: Date(timeIntervalSince1970: 1_800_000_000),
      expiresAt: Date(timeIntervalSince1970: 1_800_086_400)
    )
    content.mail = mail
    var composer = other ?? composer
    composer.feedbackSender = feedbackSender
    let address = "mia@example.com"
    let target = DispatchMessage.Target(id: address, address: address, name: name, locale: locale)
    let targeted = TargetedDelivery(delivery: delivery, target: target, content: content)
    let message = try composer.compose(targeted, headers: headers, unsubscribe: unsubscribe)
    return String(decoding: message, as: UTF8.self)
  }

  /// Soft line breaks and `=XX` undone, as a reader would see it.
  private func decoded(_ mail: String) -> String {
    let bytes = Array(mail.replacingOccurrences(of: "=\r\n", with: "").utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "="), index + 2 < bytes.count,
        let byte = UInt8(String(decoding: bytes[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
      {
        result.append(byte)
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  @Test func `a mail has its headers, plain text first and the same in HTML`() throws {
    let mail = try compose()
    #expect(mail.contains("From: \"Belfry\" <belfry@example.com>\r\n"))
    #expect(mail.contains("To: \"Mia\" <mia@example.com>\r\n"))
    #expect(mail.contains("Subject: Hello\r\n"))
    #expect(mail.contains("Auto-Submitted: auto-generated\r\n"))
    #expect(mail.contains("multipart/alternative"))
    let plain = try #require(mail.range(of: "text/plain"))
    let html = try #require(mail.range(of: "text/html"))
    #expect(plain.lowerBound < html.lowerBound)
    #expect(decoded(mail).contains("<p dir=\"auto\">World</p>"))
    #expect(decoded(mail).contains(">Hello</h1>"))
  }

  @Test func `a repeated attempt is the same mail with the same Message-ID`() throws {
    let mail = try compose()
    #expect(mail.contains("Message-ID: <019a8b7c-6d5e-735c-a510-b492e7201281@mail.example.com>\r\n"))
    #expect(try compose() == mail)
  }

  @Test func `a text cannot become markup`() throws {
    let text = #"<script>alert("a & b")</script>"#
    let mail = decoded(try compose(title: text, body: text))
    let html = try #require(mail.range(of: "<!DOCTYPE html>")).lowerBound
    let escaped = "&lt;script&gt;alert(&quot;a &amp; b&quot;)&lt;/script&gt;"
    #expect(!mail[html...].contains("<script>"))
    // In the document's title, the preview, the heading and the text.
    #expect(mail[html...].components(separatedBy: escaped).count == 5)
    #expect(mail[..<html].contains(text))
  }

  @Test(arguments: ["one\ntwo", "one\r\ntwo", "one\n\n\ntwo", "one\r\n\r\ntwo"])
  func `every line of the text is a paragraph, whatever ends it`(_ body: String) throws {
    let lines = decoded(try compose(body: body)).replacingOccurrences(of: "\r\n", with: "\n")
    #expect(lines.contains("<p dir=\"auto\">one</p>\n<p dir=\"auto\">two</p>"))
  }

  @Test func `any language passes through seven bits`() throws {
    let mail = try compose(title: "Grüße 👋", body: "漢字 — ok", name: "Zoë")
    #expect(mail.utf8.allSatisfy { $0 < 0x80 })
    #expect(decoded(mail).contains("<p dir=\"auto\">漢字 — ok</p>"))
  }

  @Test func `without a sender's name for feedback there is no header of it, whatever the stream`() throws {
    let bulk = MailHandling(stream: .bulk, mayUnsubscribe: true)
    #expect(try !compose().contains("Feedback-ID"))
    #expect(try compose(mail: bulk) == compose())
  }

  @Test func `Feedback-ID says type, category, stream and sender`() throws {
    let mail = try compose(feedbackSender: "exampleshop")
    #expect(mail.contains("\r\nFeedback-ID: AllowanceResumed:Allowance:transactional:exampleshop\r\n"))
    let bulk = try compose(mail: MailHandling(stream: .bulk), feedbackSender: "exampleshop")
    #expect(bulk.contains("\r\nFeedback-ID: AllowanceResumed:Allowance:bulk:exampleshop\r\n"))
  }

  @Test func `more headers stand after those that every mail has`() throws {
    let mail = try compose(headers: [("List-Id", "Offers <offers.example.com>"), ("X-Batch", "7")])
    let own = try #require(mail.range(of: "Auto-Submitted: "))
    let added = try #require(mail.range(of: "\r\nList-Id: Offers <offers.example.com>\r\nX-Batch: 7\r\n"))
    #expect(own.upperBound <= added.lowerBound)
    #expect(mail.components(separatedBy: "Auto-Submitted: ").count == 2)
  }

  @Test(arguments: ["a\r\nBcc: x@y", "a\nb"])
  func `a line break in a header that is added never reaches the mail`(_ text: String) {
    #expect(throws: TransportError.self) { try compose(headers: [("X-Batch", text)]) }
  }

  @Test func `a link to unsubscribe stands at the end of both parts, and is the mail's only one`() throws {
    let link = "https://notify.example.com/unsubscribe/abc"
    let mail = decoded(try compose(unsubscribe: link))
    #expect(mail.contains(": \(link)\r\n") && mail.contains("href=\"\(link)\""))
    #expect(try !decoded(compose()).contains("href="))
  }

  @Test func `the layout in force is around a mail, in the language of its reader`() throws {
    let catalogue = try Catalogue(
      overrides: "version: 1\nmailLayout: { footer: { en: Bye, de: Servus }, address: Main Street 1 }"
    )
    var composer = composer
    composer.catalogue = { catalogue }
    let german = decoded(try compose(locale: "de-AT", by: composer))
    #expect(german.contains("World\r\n\r\n-- \r\nServus\r\nMain Street 1\r\n"))
    #expect(german.contains(">Servus</p>") && german.contains(">Main Street 1</p>"))
    #expect(decoded(try compose(by: composer)).contains(">Bye</p>"))
  }

  @Test func `a layout that cannot be filled in is said to the operator, and no other`() throws {
    let log = LogRecorder()
    var composer = composer
    composer.logger = log.logger
    let link = #"{{content}}<a href=\"https://shop.example/{{subject}}\">a</a>"#
    let catalogue = try Catalogue(overrides: "version: 1\nmailLayout: { html: \"\(link)\" }")
    composer.catalogue = { catalogue }
    #expect(decoded(try compose(by: composer)).contains("https://shop.example/Hello"))
    #expect(log.all.isEmpty)
    // No link can have it as a part.
    _ = try compose(title: "..", by: composer)
    #expect(log.all.map { "\($0.level)" } == ["error"])
    #expect(log.all.first?.text.hasPrefix("the catalogue's mail layout cannot be filled in") == true)
  }

  @Test(arguments: ["a\r\nBcc: x@y", "a\nb", "a\rb"])
  func `a line break in a title or a name never reaches a header`(_ text: String) {
    #expect(throws: TransportError.self) { try compose(title: text) }
    #expect(throws: TransportError.self) { try compose(name: text) }
  }
}
