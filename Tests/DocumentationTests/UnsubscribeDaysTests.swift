import NotificationModel
import TestSupport
import Testing

/// How long links to unsubscribe hold, and what they need is kept, as the pages say it.
@Suite struct UnsubscribeDaysTests {
  @Test func `the pages say for how many days a link holds`() throws {
    let days = UnsubscribeLink.days
    #expect(try Repository.text("docs/email.md").contains("A link holds for \(days) days after the mail"))
    #expect(try Repository.text("docs/configuration.md").contains("links are valid for \(days) days."))
    #expect(try Repository.text("Services/Gateway/Description/openapi.yaml").contains("older than \(days) days"))
    let lifetime = Int(UnsubscribeLink.lifetime / 86_400)
    #expect(try Repository.text("docs/email.md").contains("one out after \(lifetime) days."), "an old secret")
  }

  @Test(arguments: ["personal-data", "schema", "operations"])
  func `what was chosen before is kept for a day longer than a link can hold, and the page says so`(_ page: String)
    throws
  {
    let kept = Int(UnsubscribeLink.lifetime / 86_400) + 1
    let line = try Repository.text("docs/\(page).md").split(separator: "\n").first { $0.contains("chosen before") }
    #expect(line?.contains(" \(kept) days") == true, "\(line ?? "")")
  }
}
