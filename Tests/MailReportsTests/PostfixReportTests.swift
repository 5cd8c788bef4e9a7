import MailReports
import Testing

/// Bounces by Postfix itself.
@Suite struct PostfixReportTests {
  private static let returnAddress = "bounces+\(String(repeating: "A", count: 56))@bounces.example.com"

  @Test(arguments: [
    ("unknown", "0", BounceVerdict.permanent(code: "5.1.1")), ("full", "1", .permanent(code: "5.2.2")),
    ("policy", "2", .notTheAddress(code: "5.7.1")), ("plain", "3", .permanent(code: "5.0.0")),
  ])
  func `what came through its pipe says which mail it was, whose, and why`(
    _ name: String,
    _ number: String,
    _ verdict: BounceVerdict
  ) throws {
    let report = try MailReport.parse(try PostfixReports.bytes(name))
    guard case .delivery(let fates) = report.kind else {
      Issue.record("\(report.kind)")
      return
    }
    let fate = try #require(fates.first)
    #expect(fates.count == 1 && fate.action == .failed)
    #expect(fate.finalRecipient == "\(name)@example.net" && fate.originalRecipient == "\(name)@example.net")
    #expect(BounceVerdict(status: fate.status, diagnostic: fate.diagnostic) == verdict)
    #expect(report.returnAddresses == [Self.returnAddress])
    #expect(report.messageID == "019a8b7c-6d5e-7f40-8123-45678900000\(number)@example.com")
  }
}
