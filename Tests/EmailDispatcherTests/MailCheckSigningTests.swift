import Cryptography
import Foundation
import Settings
import TestSupport
import Testing
import Transport

@testable import EmailDispatcher

/// What `belfry check mail` says of keys, policies and whose domain they speak for.
@Suite struct MailCheckSigningTests {
  private let key: PrivateKey
  private let other: PrivateKey

  init() throws {
    key = try PrivateKey(.rsa)
    other = try PrivateKey(.rsa)
  }

  // MARK: Keys

  private func judged(_ texts: [String], isOurs: Bool = true, isInUse: Bool = true) -> MailFinding {
    DKIMKeyCheck(domain: "example.com", selector: "s1", expected: isOurs ? key.dkimPublicText : nil, isInUse: isInUse)
      .judged(texts.map { .text($0) })
  }

  @Test func `our key is there, with whatever else a record may say`() {
    for text in [
      key.dkimRecord, "p=\(key.dkimPublicText)",
      "k=rsa; p = \(key.dkimPublicText) ; s=email:x; h=sha1 : sha256; t=s; n=x",
      "v=DKIM1; p=\(key.dkimPublicText.prefix(100)) \t\(key.dkimPublicText.dropFirst(100));",
    ] { #expect(judged([text]).verdict == .good, "\(text)") }
    #expect(judged([key.dkimRecord]).text == "s1._domainkey.example.com is the key that signs")
    #expect(judged([key.dkimRecord], isInUse: false).text == "s1._domainkey.example.com is the other key")
  }

  @Test func `what receivers would not count fails, with the record to publish`() {
    let p = key.dkimPublicText
    for (texts, words) in [
      ([], "has no key"), ([key.dkimRecord, key.dkimRecord], "has 2 records"), ([other.dkimRecord], "has another key"),
      (["v=DKIM1; p="], "is revoked"), (["v=DKIM2; p=\(p)"], "has no DKIM record"), (["hello"], "has no DKIM record"),
      (["p=\(p); h=sha1"], "h= does not allow sha256"), (["p=\(p); s=tlsrpt"], "s= does not allow email"),
      (["k=ed25519; p=\(p)"], "k=ed25519 is not rsa"), (["v=DKIM1; k=rsa"], "has no DKIM record"),
    ] as [([String], String)] {
      let finding = judged(texts)
      #expect(finding.verdict == .bad && finding.text.contains(words), "\(texts): \(finding)")
      #expect(texts.count > 1 || finding.advice?.hasSuffix("TXT record: \(key.dkimRecord)") == true)
    }
    #expect(judged(["p=\(p); t=y:s"]).verdict == .note)
  }

  @Test func `a key of the mail server's is long enough`() {
    for (count, verdict) in [(294, MailFinding.Verdict.good), (162, .note), (94, .bad)] {
      let text = "v=DKIM1; p=\(Data(count: count).base64EncodedString())"
      #expect(judged([text], isOurs: false).verdict == verdict)
    }
    #expect(judged(["v=DKIM1; p=###"], isOurs: false).verdict == .bad)
    #expect(judged(["v=DKIM1; k=ed25519; p=\(Data(count: 32).base64EncodedString())"], isOurs: false).verdict == .good)
  }

  // MARK: Senders

  private func check(_ names: MemoryNames = [:]) -> MailCheck {
    MailCheck(names: names, addresses: [], serverKeys: [])
  }

  private func sender(
    from: String = "news@example.com",
    envelope: String? = nil,
    signedAs domain: String? = ""
  ) async throws -> CheckedSender {
    try await TemporaryDirectory.with { directory in
      let file = directory.file("dkim.pem")
      try key.pem.write(toFile: file, atomically: true, encoding: .utf8)
      var variables = ["BELFRY_EMAIL_DKIM_DOMAIN": domain ?? ""]
      if domain != nil {
        variables["BELFRY_EMAIL_DKIM_SELECTOR"] = "s1"
        variables["BELFRY_EMAIL_DKIM_KEY_FILE"] = file
      }
      let server = SMTPConfiguration(host: "smtp.example.com", port: 587, security: .startTLS)
      let dkim = DKIMConfiguration(Settings(variables: variables))
      return CheckedSender(from: from, envelope: envelope ?? from, server: server, dkim: dkim)
    }
  }

  @Test func `both keys are looked for, and one that cannot be read is said`() async throws {
    let settings = Settings(variables: [
      "BELFRY_EMAIL_DKIM_SELECTOR": "s1", "BELFRY_EMAIL_DKIM_KEY_FILE": "/nowhere/one.pem",
      "BELFRY_EMAIL_DKIM_OTHER_SELECTOR": "s2", "BELFRY_EMAIL_DKIM_OTHER_KEY_FILE": "/nowhere/two.pem",
    ])
    let server = SMTPConfiguration(host: "smtp.example.com", port: 587, security: .startTLS)
    let broken = CheckedSender(
      from: "a@b.example",
      envelope: "a@b.example",
      server: server,
      dkim: DKIMConfiguration(settings)
    )
    let findings = await check().dkim(of: broken)
    #expect(findings.map(\.verdict) == [.bad, .bad])
    #expect(findings[0].text.contains("/nowhere/one.pem") && findings[1].text.contains("/nowhere/two.pem"))
    let names: MemoryNames = ["s1._domainkey.example.com": [.text(key.dkimRecord)]]
    #expect(try await check(names).dkim(of: sender()).map(\.verdict) == [.good])
    #expect(try await check().dkim(of: sender(signedAs: nil)).map(\.verdict) == [.note])
  }

  @Test func `a domain without a policy fails, and one that asks for nothing is noted`() async throws {
    let sender = try await sender()
    let none = await check().dmarc(of: sender).findings
    #expect(none.map(\.verdict) == [.bad])
    #expect(none[0].advice?.contains("_dmarc.example.com") == true)
    for (text, verdicts) in [
      ("v=DMARC1; p=none; rua=mailto:d@example.com", [MailFinding.Verdict.note]), ("v=DMARC1; p=none", [.note, .note]),
      ("v=DMARC1; p=reject; rua=mailto:d@example.com", [.good]), ("v=DMARC1; p=reject", [.good, .note]),
      ("v=DMARC1; p=all", [.bad]),
    ] {
      let findings = await check(["_dmarc.example.com": [.text(text)]]).dmarc(of: sender).findings
      #expect(findings.map(\.verdict) == verdicts, "\(text)")
    }
  }

  @Test func `a domain below takes the policy for those below`() async throws {
    let names: MemoryNames = ["_dmarc.example.com": [.text("v=DMARC1; p=none; sp=reject; rua=mailto:d@example.com")]]
    let findings = await check(names).dmarc(of: try await sender(from: "a@news.example.com")).findings
    #expect(findings == [.good(.dmarc, "_dmarc.example.com asks receivers for 'reject'")])
  }

  @Test(arguments: [
    ("news@example.com", "news@example.com", "", "", MailFinding.Verdict.good),
    ("news@example.com", "b@bounces.example.com", "", "", .good),
    ("news@mail.example.com", "b@bounces.example.com", "example.com", "", .good),
    ("news@example.com", "b@bounces.example.com", "", "; aspf=s", .note),
    ("news@mail.example.com", "news@mail.example.com", "example.com", "; adkim=s", .note),
    ("news@example.com", "b@provider.example", "", "", .note),
    ("news@example.com", "news@example.com", "provider.example", "", .note),
    ("news@example.com", "b@provider.example", "provider.example", "", .bad),
  ]) func `SPF and DKIM speak for the domain that readers see`(
    _ from: String,
    _ envelope: String,
    _ domain: String,
    _ strictness: String,
    _ verdict: MailFinding.Verdict
  ) async throws {
    let check = check(["_dmarc.example.com": [.text("v=DMARC1; p=reject; rua=mailto:d@example.com\(strictness)")]])
    let sender = try await sender(from: from, envelope: envelope, signedAs: domain)
    let finding = await check.alignment(of: sender, check.dmarc(of: sender).result)
    #expect(finding.verdict == verdict, "\(finding)")
  }

  @Test func `where the mail server signs, its signature is what must agree`() async throws {
    let own = try await sender(signedAs: nil)
    #expect(await check().alignment(of: own, nil).verdict == .good)
    let foreign = try await sender(envelope: "b@provider.example", signedAs: nil)
    let finding = await check().alignment(of: foreign, nil)
    #expect(finding.verdict == .note && finding.text.contains("d=example.com"))
  }
}
