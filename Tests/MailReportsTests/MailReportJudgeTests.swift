import Foundation
import JSON
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
    for name in PostfixReports.names { mails.append((name: name, bytes: try PostfixReports.bytes(name))) }
    let judged = try Self.judged(mails)
    #expect(judged == (try mails.map(Self.ours)))
    #expect(judged.contains { !$0.permanent.isEmpty } && judged.contains { !$0.temporary.isEmpty })
  }
}
