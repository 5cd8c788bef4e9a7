import Foundation
import Testing
import Transport

@Suite struct MIMEMessageTests {
  private let message = MIMEMessage(
    from: MIMEAddress(name: "Belfry", address: "belfry@example.org"),
    to: MIMEAddress(address: "mara@example.org"),
    subject: "Hello",
    messageID: "1@example.org",
    date: Date(timeIntervalSince1970: 1_709_164_800),
    text: "Hello = you\nBye",
    html: "<p>Hello</p>"
  )

  private func text(_ message: MIMEMessage) throws -> String {
    String(decoding: try message.encoded(), as: UTF8.self)
  }

  /// The field's lines, unfolded.
  private func field(_ name: String, of message: MIMEMessage) throws -> String? {
    let unfolded = try text(message).replacing("\r\n ", with: " ")
    return unfolded.split(separator: "\r\n").first { $0.hasPrefix("\(name): ") }.map {
      String($0.dropFirst(name.count + 2))
    }
  }

  @Test func `text comes first, then HTML, each in quoted-printable`() throws {
    #expect(
      try text(message)
        == """
        Date: Thu, 29 Feb 2024 00:00:00 +0000
        From: "Belfry" <belfry@example.org>
        To: mara@example.org
        Subject: Hello
        Message-ID: <1@example.org>
        MIME-Version: 1.0
        Auto-Submitted: auto-generated
        Content-Type: multipart/alternative;
         boundary="=_a09825de1b8b5ee2"

        --=_a09825de1b8b5ee2
        Content-Type: text/plain; charset=utf-8
        Content-Transfer-Encoding: quoted-printable

        Hello =3D you
        Bye
        --=_a09825de1b8b5ee2
        Content-Type: text/html; charset=utf-8
        Content-Transfer-Encoding: quoted-printable

        <p>Hello</p>
        --=_a09825de1b8b5ee2--

        """.replacing("\n", with: "\r\n")
    )
  }

  @Test func `without HTML the message is the text alone`() throws {
    var message = message
    message.html = nil
    #expect(try text(message).hasSuffix("quoted-printable\r\n\r\nHello =3D you\r\nBye"))
    #expect(try !text(message).contains("multipart"))
  }

  @Test func `the same message gives the same bytes`() throws {
    #expect(try message.encoded() == message.encoded())
  }

  @Test(arguments: ["a\rb", "a\nb", "a\0b", "a\r\nBcc: victim@example.org"])
  func `a control character in any header is refused with the header's name`(bad: String) {
    let changes: [(String, (inout MIMEMessage) -> Void)] = [
      ("From", { $0.from.name = bad }), ("From", { $0.from.address = "\(bad)@example.org" }),
      ("To", { $0.to.name = bad }), ("To", { $0.to.address = "\(bad)@example.org" }), ("Subject", { $0.subject = bad }),
      ("Message-ID", { $0.messageID = "\(bad)@example.org" }), ("X-Extra", { $0.extraHeaders = [("X-Extra", bad)] }),
      ("header name", { $0.extraHeaders = [(bad, "value")] }),
    ]
    for (name, change) in changes {
      var changed = message
      change(&changed)
      let error = #expect(throws: TransportError.self) { try changed.encoded() }
      #expect(error?.code == .invalidRequest(name))
      #expect(error?.isTransient == false)
    }
  }

  @Test(arguments: ["", "nobody", "a@b@c", "a@b>, <c@d", "a b@c", "mära@example.org", "@example.org"])
  func `what is no plain address is refused`(address: String) {
    var changed = message
    changed.to.address = address
    let error = #expect(throws: TransportError.self) { try changed.encoded() }
    #expect(error?.code == .invalidRequest("To"))
  }

  @Test func `no line is longer than 76 characters`() throws {
    var long = message
    long.subject = String(repeating: "Grüße 🎂 ", count: 40)
    long.from.name = String(repeating: "name ", count: 30)
    long.text = String(repeating: "ä=🎂 word ", count: 200) + "\n" + String(repeating: "x", count: 500)
    for line in try text(long).split(separator: "\r\n", omittingEmptySubsequences: false) {
      #expect(line.utf8.count <= 76)
      #expect(line.utf8.allSatisfy { $0 < 0x80 })
    }
  }

  @Test func `a word that cannot be folded may be long, up to the limit of 998`() throws {
    var long = message
    let link = "<https://example.org/" + String(repeating: "u", count: 900) + ">"
    long.extraHeaders = [("List-Unsubscribe", link)]
    #expect(try field("List-Unsubscribe", of: long) == link)
    long.extraHeaders = [("List-Unsubscribe", link + link)]
    let error = #expect(throws: TransportError.self) { try long.encoded() }
    #expect(error?.code == .invalidRequest("List-Unsubscribe"))
  }

  @Test(arguments: ["Subject", "DATE", "message-id", "Bcc", "Content-Type", "Auto-Submitted"])
  func `a header that a message has itself cannot be added`(name: String) {
    var changed = message
    changed.extraHeaders = [(name, "value")]
    let error = #expect(throws: TransportError.self) { try changed.encoded() }
    #expect(error?.code == .invalidRequest(name))
  }

  private func refusal(of message: MIMEMessage) -> TransportError.Code? {
    #expect(throws: TransportError.self) { try message.encoded() }?.code
  }

  @Test func `a header is added once, and there are bounds of their number and size`() throws {
    var changed = message
    changed.extraHeaders = [("X-A", "1"), ("x-a", "2")]
    #expect(refusal(of: changed) == .invalidRequest("x-a"))
    changed.extraHeaders = (0..<MIMEMessage.maximumExtraHeaders).map { ("X-\($0)", "value") }
    #expect(try field("X-15", of: changed) == "value")
    changed.extraHeaders.append(("X-Last", "value"))
    #expect(refusal(of: changed) == .invalidRequest("extra headers"))
    changed.extraHeaders = (0..<10).map { ("X-\($0)", String(repeating: "v", count: 900)) }
    #expect(refusal(of: changed) == .invalidRequest("extra headers"))
  }

  @Test func `text that looks like an encoded word is encoded`() throws {
    var tricky = message
    tricky.subject = "=?utf-8?Q?x?="
    #expect(try field("Subject", of: tricky) == "=?utf-8?B?PT91dGYtOD9RP3g/PQ==?=")
  }

  @Test func `blanks at the end of a line and a last CR LF survive transport`() throws {
    var message = message
    message.html = nil
    message.text = "tab\t\nblank \r\nend \r\n"
    #expect(try text(message).hasSuffix("tab=09\r\nblank=20\r\nend=20\r\n"))
  }

  @Test(arguments: [
    (0, "Thu, 01 Jan 1970 00:00:00 +0000"), (-1, "Wed, 31 Dec 1969 23:59:59 +0000"),
    (951_782_399, "Mon, 28 Feb 2000 23:59:59 +0000"), (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 +0000"),
  ])
  func `dates are written in UTC`(seconds: Int, expected: String) throws {
    var message = message
    message.date = Date(timeIntervalSince1970: Double(seconds))
    #expect(try field("Date", of: message) == expected)
  }
}
