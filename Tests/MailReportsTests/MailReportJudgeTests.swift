import Foundation
import BelfryJSON
import MailReports
import TestSupport
import Testing

/// Bounces, as GNU Mailman's flufl.bounce reads them too; see `bounce_judge.py`.
@Suite struct MailReportJudgeTests {
  private struct Found: Decodable, Equatable {
    let name: String
    let permanent: [String]
    let temporary: [String]
  }

  private static func judged(_ mails: [(name: String, bytes: [UInt8])]) throws -> [Found] {
    let file = FileManager.default.temporaryDirectory.appending(path: "belfry-judge-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    let lines = mails.map { JSONWriter.object(["name": $0.name, "mail": Data($0.bytes).base64EncodedString()]) }
    try Data(lines.joined(separator: "\n").utf8).write(to: file)
    return try Python.lines(of: "Tests/MailReportsTests/bounce_judge.py", [file.path]).map {
      try JSONDecoder().decode(Found.self, from: $0)
    }
  }

  /// The judge prefers what the sender wrote, and goes by the action alone.
  private static func ours(_ mail: (name: String, bytes: [UInt8])) throws -> Found {
    var fates: [RecipientFate] = []
    if case .delivery(let found) = try MailReport.parse(mail.bytes).kind { fates = found }
    func addresses(_ action: RecipientFate.Action) -> [String] {
      fates.filter { $0.action == action }.compactMap { $0.originalRecipient ?? $0.finalRecipient }.sorted()
    }
    return Found(name: mail.name, permanent: addresses(.failed), temporary: addresses(.delayed))
  }

  @Test func `the judge finds the same addresses in the same reports`() throws {
    var mails = [
      (name: "postfix", bytes: SampleReports.mail(SampleReports.postfix)),
      (name: "delayed", bytes: SampleReports.mail(SampleReports.delayed)),
      (name: "complaint", bytes: SampleReports.mail(SampleReports.complaint)),
      (name: "answer", bytes: SampleReports.mail("From: ann@example.net\nTo: news@example.com\n\nThank you.")),
    ]
    for status in ["5.1.1", "5.2.2", "4.4.7", "5.7.1"] {
      let text = SampleReports.postfix.replacing("Status: 5.1.1", with: "Status: \(status)")
        .replacing("Original-Recipient: rfc822;Ann@example.net\n", with: "")
      mails.append((name: status, bytes: SampleReports.mail(text)))
    }
    for words in ["Diagnostic-Code: smtp; 451 4.7.1 greylisted", "Diagnostic-Code: smtp; 550 Unknown user"] {
      mails.append((name: "Exim, \(words)", bytes: SampleReports.mail(SampleReports.exim(words))))
    }
    for (name, text) in StandardReports.all where !name.hasPrefix("RFC 6533") {
      mails.append((name: name, bytes: SampleReports.mail(text)))
    }
    for name in PostfixReports.names { mails.append((name: name, bytes: try PostfixReports.bytes(name))) }
    let judged = try Self.judged(mails)
    #expect(judged == (try mails.map(Self.ours)))
    #expect(judged.contains { !$0.permanent.isEmpty } && judged.contains { !$0.temporary.isEmpty })
  }
  /// flufl.bounce 6.0.0 knows neither `message/global-delivery-status` nor addresses of the type utf-8. It judges what is left: the same
  /// report under the older type, and of its recipients those in ASCII.
  @Test func `of RFC 6533's reports the judge reads only what is in ASCII, and we find that, too`() throws {
    let texts = [
      (name: "quoted-printable", text: SampleReports.international),
      (name: "8bit", text: StandardReports.internationalized),
    ]
    let unread = try Self.judged(texts.map { ($0.name, SampleReports.mail($0.text)) })
    #expect(unread == texts.map { Found(name: $0.name, permanent: [], temporary: []) }, "it has learned the type")

    let older = texts.map { name, text in
      (name, SampleReports.mail(text.replacing("message/global-delivery-status", with: "message/delivery-status")))
    }
    let ours = try older.map(Self.ours)
    #expect(ours.map(\.permanent) == [["J\u{F6}rg@example.net"], ["J\u{F6}rg@example.net"]])
    let inASCII = ours.map { found in
      Found(
        name: found.name,
        permanent: found.permanent.filter { $0.utf8.allSatisfy { $0 < 0x80 } },
        temporary: found.temporary.filter { $0.utf8.allSatisfy { $0 < 0x80 } }
      )
    }
    #expect(try Self.judged(older) == inASCII)
    #expect(inASCII.last?.temporary == ["ann@example.net"])

    // Where both types stand, it takes the words of one for addresses; ours is the sender's.
    let ascii = (name: "ASCII", bytes: SampleReports.mail(StandardReports.internationalizedInASCII))
    #expect(try Self.judged([ascii]).first?.permanent.contains("joerg@example.net") == true)
    #expect(try Self.ours(ascii).permanent == ["J\u{F6}rg@example.net"])
  }
}
