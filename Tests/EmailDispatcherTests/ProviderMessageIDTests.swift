import Testing
import Transport

@testable import EmailDispatcher

@Suite struct ProviderMessageIDTests {
  private func id(_ text: String, code: Int = 250) -> String? {
    ProviderMessageID.of(SMTPReply(code: code, enhancedCode: "2.0.0", text: text))
  }

  @Test(arguments: [
    ("Ok: queued as 4XyZ1b2C3dz9sPq", "4XyZ1b2C3dz9sPq"), ("Ok: queued as 7F3A21C0.", "7F3A21C0"),
    ("OK id=1tG7bA-0000yx-2b", "1tG7bA-0000yx-2b"),
    (
      "Ok 0102018f0c1d2e3f-4a5b6c7d-8e9f-4a0b-8c1d-2e3f4a5b6c7d-000000",
      "0102018f0c1d2e3f-4a5b6c7d-8e9f-4a0b-8c1d-2e3f4a5b6c7d-000000"
    ),
    ("Ok: queued as ABCDEFGHQ1234-abcdEFGH_0", "ABCDEFGHQ1234-abcdEFGH_0"),
    ("OK <0a129aee-e1cd-480d-b08d-4f48548ff48d>", "0a129aee-e1cd-480d-b08d-4f48548ff48d"),
  ])
  func `what a server calls a mail is taken from its answer`(_ text: String, _ expected: String) {
    #expect(id(text) == expected)
  }

  @Test(arguments: [
    "", "Ok", "Great success", "Queued. Thank you.", "OK  1700000000 abc - gsmtp", "queued as",
    "Ok: queued as a\u{E9}bcdef",
    "Ok: queued as \(String(repeating: "x", count: 201))", "OK id=", "Ok: queued as a;b\"c'",
    "2.6.0 <m@d> [InternalId=1, Hostname=h] Queued mail for delivery",
  ])
  func `an answer without an id has none`(_ text: String) {
    #expect(id(text) == nil)
  }

  @Test func `a refused mail has none`() {
    #expect(id("queued as 4XyZ1b2C3dz9sPq", code: 451) == nil)
  }
}
