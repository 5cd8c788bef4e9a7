import Testing
import Transport

@testable import EmailDispatcher

@Suite struct DMARCSearchTests {
  private func result(_ domain: String, _ names: MemoryNames) async throws -> DMARCSearch.Result {
    try await DMARCSearch(names: names).result(for: domain)
  }

  @Test func `a domain's own record holds, else that of its organization`() async throws {
    let names: MemoryNames = [
      "_dmarc.example.com": [.text("v=DMARC1; p=reject; sp=quarantine; rua=mailto:d@example.com")],
      "_dmarc.own.example.com": [.text("v=DMARC1; p=none; adkim=s; aspf=s")],
    ]
    let own = try await result("own.example.com", names)
    #expect(own.record?.policy == .nothing && own.place == "own.example.com" && own.organization == "example.com")
    #expect(own.record?.isStrictAboutDKIM == true && own.record?.isStrictAboutSPF == true)
    #expect(own.record?.hasReports == false)
    let news = try await result("a.news.example.com", names)
    #expect(news.record?.subdomainPolicy == .quarantine && news.place == "example.com")
    #expect(news.organization == "example.com" && news.record?.hasReports == true)
    let other = try await result("example.net", names)
    #expect(other.record == nil && other.organization == "example.net")
  }

  @Test func `a public suffix is nobody's organization`() async throws {
    let names: MemoryNames = [
      "_dmarc.co.example": [.text("v=DMARC1; p=reject; psd=y")], "_dmarc.a.co.example": [.text("v=DMARC1; p=none")],
      "_dmarc.b.c.example": [.text("v=DMARC1; p=none; psd=n")], "_dmarc.c.example": [.text("v=DMARC1; p=reject")],
    ]
    #expect(try await result("mail.a.co.example", names).organization == "a.co.example")
    #expect(try await result("mail.b.co.example", names).organization == "b.co.example")
    #expect(try await result("mail.b.c.example", names).organization == "b.c.example")
  }

  @Test func `eight names are asked at most`() {
    #expect(DMARCSearch.walk("example.com") == ["example.com", "com"])
    let long = (0..<20).map { "l\($0)" }.joined(separator: ".")
    let walk = DMARCSearch.walk(long)
    #expect(walk.count == 8 && walk[0] == long && walk[1] == "l13.l14.l15.l16.l17.l18.l19" && walk[7] == "l19")
  }

  @Test func `records that are none, or several, are said`() async throws {
    var names: MemoryNames = ["_dmarc.example.com": [.text("v=DMARC1; p=nothing")]]
    await #expect(throws: DMARCSearch.Failure.broken(domain: "example.com", text: "v=DMARC1; p=nothing")) {
      try await result("example.com", names)
    }
    names["_dmarc.example.com"] = [.text("v=DMARC1; p=none"), .text("v=DMARC1; p=reject"), .text("other")]
    await #expect(throws: DMARCSearch.Failure.several(domain: "example.com", count: 2)) {
      try await result("example.com", names)
    }
    names.failing = ["_dmarc.example.com"]
    await #expect(throws: DMARCSearch.Failure.dns(.refused(code: 2))) { try await result("example.com", names) }
  }

  @Test(arguments: [
    "p=none; v=DMARC1", "v=DMARC1", "v=DMARC1 p=none", "v=DMARC1; p=none; p=reject", "v=dmarc1; p=none", "v=DMARC1; p=",
    "v=DMARC1; none", "",
  ]) func `what is no record is none`(_ text: String) {
    #expect(DMARCRecord(text) == nil)
  }

  @Test func `reports alone ask for nothing`() {
    #expect(DMARCRecord("v=DMARC1; rua=mailto:d@example.com;")?.policy == .nothing)
  }
}
