import Foundation
import NotificationModel
import Settings
import TestSupport
import Testing

@testable import EmailDispatcher
@testable import Transport

/// What `belfry check mail` finds out.
@Suite struct MailCheckTests {
  /// Answers each question about a sender alike.
  private struct ScriptedServer: SenderProbe {
    let answer: @Sendable () throws(TransportError) -> SMTPReply

    func probe(_ sender: String) async throws(TransportError) -> SMTPReply { try answer() }
    func close() async {}
  }

  /// A domain of which all is in order, whose mails leave from 203.0.113.7.
  private static let good: MemoryNames = [
    "example.com": [
      .text("v=spf1 ip4:203.0.113.7 ~all"), .text("something else"), .mail(preference: 10, host: "mx.example.com"),
    ],
    "mx.example.com": [.ip("203.0.113.7")], "7.113.0.203.in-addr.arpa": [.name("mx.example.com")],
    "_dmarc.example.com": [.text("v=DMARC1; p=quarantine; rua=mailto:d@example.com")],
    "s1._domainkey.example.com": [.text("v=DKIM1; k=rsa; p=\(Data(count: 294).base64EncodedString())")],
  ]

  private func findings(
    _ names: MemoryNames = MailCheckTests.good,
    addresses: [String] = ["203.0.113.7"],
    selectors: [String] = ["s1"],
    variables: [String: String] = [:],
    answer: @escaping @Sendable () throws(TransportError) -> SMTPReply = { SMTPReply(code: 250) },
    page: @escaping @Sendable (String) throws(TransportError) -> MailCheck.Page = MailCheckTests.page
  ) async throws -> [MailFinding] {
    let base = [
      "BELFRY_DATABASE_URL": "postgresql://belfry@localhost/belfry", "BELFRY_BROKER_URL": "amqp://localhost/",
      "BELFRY_EMAIL_HOST": "smtp.example.com", "BELFRY_EMAIL_FROM": "news@example.com",
      "BELFRY_EMAIL_DOMAIN": "example.com", "BELFRY_PUBLIC_URL": "https://notify.example.com",
      "BELFRY_UNSUBSCRIBE_KEYS": String(repeating: "k", count: 32),
    ]
    let settings = Settings(variables: base.merging(variables) { $1 })
    let configuration = EmailConfiguration(settings)
    try settings.validate()
    let check = MailCheck(
      names: names,
      addresses: addresses.compactMap(IPAddress.init),
      serverKeys: selectors.compactMap(ServerKeyName.init),
      server: { _, _ in ScriptedServer(answer: answer) },
      fetch: { url, _ throws(TransportError) in try page(url) }
    )
    return await check.findings(for: configuration, logger: .quiet)
  }

  /// What a gateway answers that knows the link.
  private static let page: @Sendable (String) throws(TransportError) -> MailCheck.Page = { url throws(TransportError) in
    let token = url.split(separator: "/").last.map(String.init) ?? ""
    guard url.hasPrefix("https://notify.example.com/unsubscribe/"),
      case .valid(let link)? = UnsubscribeKeys([String(repeating: "k", count: 32)]).read(token, at: .now)
    else { return MailCheck.Page(status: 404, body: []) }
    return MailCheck.Page(status: 200, body: Array("<h1>You do not get “\(link.category)” emails</h1>".utf8))
  }

  /// Those that are not good, as `subject: text`.
  private func objections(_ findings: [MailFinding], _ verdict: MailFinding.Verdict = .bad) -> [String] {
    findings.filter { $0.verdict == verdict }.map { "\($0.subject.rawValue): \($0.text)" }
  }

  @Test func `where all is in order, everything is said to be, in the checklist's order`() async throws {
    let findings = try await findings()
    #expect(findings.allSatisfy { $0.verdict == .good && $0.advice == nil }, "\(findings)")
    let subjects: [MailFinding.Subject] = [
      .server, .name, .spf, .spf, .dkim, .dmarc, .alignment, .ptr, .mx, .unsubscribe,
    ]
    #expect(findings.map(\.subject) == subjects)
    #expect(
      findings[0].text == "smtp.example.com:587 takes the sender news@example.com, over TLS with a valid certificate"
    )
  }

  @Test func `whatever is wrong brings what to do`() async throws {
    let findings = try await findings([:])
    #expect(objections(findings).map { $0.prefix { $0 != ":" } } == ["spf", "dkim", "dmarc", "ptr", "mx"])
    #expect(findings.allSatisfy { ($0.verdict == .good) == ($0.advice == nil) })
  }

  @Test func `the checklist of the documents has all that is checked, in its order`() throws {
    let text = try Repository.text("docs/email-going-live.md")
    let listed = text.matches(of: #/(?m)^\| `(\w+)` \| /#).map { String($0.1) }
    #expect(listed == MailFinding.Subject.allCases.map(\.rawValue))
  }

  // MARK: The mail server

  @Test func `a mail server that does not take the sender is no good`() async throws {
    let findings = try await findings { SMTPReply(code: 553, enhancedCode: "5.7.1", text: "not yours") }
    #expect(
      objections(findings) == ["server: smtp.example.com:587 refuses the sender news@example.com: 553 not yours"]
    )
  }

  @Test(arguments: [
    (TransportError.Code.authenticationFailed, "BELFRY_EMAIL_USERNAME"), (.tls, "BELFRY_EMAIL_CA_FILE"),
    (.cannotConnect, "firewalls"), (.timeout, "BELFRY_EMAIL_PORT"),
  ]) func `one that cannot be used is said, with what to look at`(_ code: TransportError.Code, _ words: String)
    async throws
  {
    let findings = try await findings { () throws(TransportError) in throw TransportError(code, isTransient: false) }
    #expect(findings[0].verdict == .bad && findings[0].advice?.contains(words) == true)
    #expect(findings.count == 10)
  }

  @Test func `mails cross the internet encrypted alone`() async throws {
    let plain = ["BELFRY_EMAIL_SECURITY": "none"]
    let findings = try await findings(variables: plain)
    #expect(
      objections(findings)
        == ["server: smtp.example.com:587 gets mails and passwords unencrypted over the internet"]
    )
    let inside = try await self.findings(variables: plain.merging(["BELFRY_EMAIL_HOST": "10.0.0.5"]) { $1 })
    #expect(inside[0].text.hasSuffix("without TLS in your own network") && inside[0].verdict == .good)
  }

  @Test func `a name that is nobody's is noted`() async throws {
    let findings = try await findings(variables: ["BELFRY_EMAIL_DOMAIN": "localhost"])
    #expect(objections(findings, .note) == ["name: localhost stands in EHLO and in Message-IDs"])
  }

  // MARK: SPF and addresses

  @Test(arguments: [
    ("v=spf1 ip4:203.0.113.8 ~all", "example.com does not let 203.0.113.7 send"),
    ("v=spf1 +all", "example.com lets every address send"),
    ("v=spf1 include:gone.example ~all", "gone.example, which example.com includes, has no SPF record"),
  ]) func `a record that is of no use fails`(_ record: String, _ words: String) async throws {
    var names = Self.good
    names["example.com"] = [.text(record), .mail(preference: 10, host: "mx.example.com")]
    #expect(objections(try await findings(names)).contains("spf: \(words)"))
  }

  @Test func `a record that names nobody else is noted, and one with macros`() async throws {
    for (record, words) in [
      ("v=spf1 ip4:203.0.113.7", "example.com says nothing of strange addresses"),
      ("v=spf1 ip4:203.0.113.7 exists:%{i}.example -all", "has macros, which are not followed here"),
    ] {
      var names = Self.good
      names["example.com"] = [.text(record), .mail(preference: 10, host: "mx.example.com")]
      let findings = try await findings(names)
      #expect(objections(findings) == [])
      #expect(objections(findings, .note).first?.contains(words) == true)
      #expect(findings.contains(.good(.spf, "example.com lets 203.0.113.7 send")))
    }
  }

  @Test func `without an address the mail server's own are a guess`() async throws {
    var names = Self.good
    var findings = try await findings(names, addresses: [])
    #expect(objections(findings) == [])
    #expect(objections(findings, .note).count == 2)
    names["smtp.example.com"] = [.ip("8.8.4.4"), .ip("10.0.0.1")]
    findings = try await self.findings(names, addresses: [])
    #expect(objections(findings) == [])
    #expect(
      objections(findings, .note) == [
        "spf: example.com does not let 8.8.4.4 send, which is smtp.example.com",
        "ptr: 8.8.4.4 has no name (PTR); it is smtp.example.com",
      ]
    )
  }

  @Test func `an address's name must lead back to it`() async throws {
    var names = Self.good
    names["7.113.0.203.in-addr.arpa"] = [.name("other.example")]
    names["other.example"] = [.ip("203.0.113.8")]
    #expect(
      objections(try await findings(names))
        == ["ptr: 203.0.113.7 is other.example, which does not lead back to it"]
    )
  }

  @Test func `a domain that takes no mails is no sender`() async throws {
    var names = Self.good
    let spf = DNSRecord.text("v=spf1 ip4:203.0.113.7 ~all")
    names["example.com"] = [spf, .mail(preference: 0, host: "")]
    #expect(objections(try await findings(names)) == ["mx: example.com says that it takes no mails (null MX)"])
    names["example.com"] = [spf, .mail(preference: 0, host: "gone.example.com")]
    #expect(
      objections(try await findings(names)) == ["mx: example.com takes mails at gone.example.com, which has no address"]
    )
    names["example.com"] = [spf, .ip("203.0.113.7")]
    #expect(objections(try await findings(names), .note).count == 1)
  }

  @Test func `a name server that cannot tell is nothing good`() async throws {
    var names = Self.good
    names.failing = ["example.com", "_dmarc.example.com", "s1._domainkey.example.com", "7.113.0.203.in-addr.arpa"]
    let subjects = try await findings(names).filter { $0.verdict == .bad }.map(\.subject)
    #expect(subjects == [.spf, .dkim, .dmarc, .ptr, .mx])
  }

  @Test func `a mail server may sign as another domain, whose key is looked for`() async throws {
    var names = Self.good
    names["s1._domainkey.mg.example.com"] = names["s1._domainkey.example.com"]
    var findings = try await findings(names, selectors: ["s1@MG.example.com"])
    #expect(findings.allSatisfy { $0.verdict == .good }, "\(findings)")
    #expect(findings.contains(.good(.dkim, "s1._domainkey.mg.example.com is a key of the mail server's")))
    #expect(findings.contains(.good(.alignment, "SPF and DKIM both speak for example.com")))
    findings = try await self.findings(selectors: ["s1@mg.other.example"])
    #expect(objections(findings) == ["dkim: s1._domainkey.mg.other.example has no key"])
    #expect(
      objections(findings, .note)
        == ["alignment: DKIM speaks for mg.other.example, and SPF alone for example.com: forwarded mails lose it"]
    )
  }

  @Test(arguments: [
    (["s1"], MailFinding.Verdict.note, "DKIM alone speaks for example.com"), ([], .note, "must say d=example.com"),
    (["s1@other.example"], .bad, "neither SPF, which is not known to pass, nor DKIM (other.example) speaks for"),
  ]) func `where SPF does not pass it speaks for nobody`(
    _ selectors: [String],
    _ verdict: MailFinding.Verdict,
    _ words: String
  ) async throws {
    var names = Self.good
    names["example.com"] = [.text("v=spf1 ip4:203.0.113.8 ~all"), .mail(preference: 10, host: "mx.example.com")]
    let findings = try await findings(names, selectors: selectors)
    let alignment = try #require(findings.first { $0.subject == .alignment })
    #expect(alignment.verdict == verdict && alignment.text.contains(words), "\(alignment)")
  }

  @Test func `a bulk stream's own sender is looked at, too`() async throws {
    let own = [
      "BELFRY_EMAIL_BULK_FROM": "offers@news.example.com", "BELFRY_EMAIL_BULK_RETURN_PATH": "b@returns.example.com",
    ]
    let findings = try await findings(variables: own)
    #expect(findings.contains { $0.text.hasPrefix("smtp.example.com:587 takes the sender b@returns.example.com") })
    #expect(objections(findings).contains { $0.hasPrefix("spf: ") && $0.contains("returns.example.com") })
    #expect(objections(findings).contains { $0.hasPrefix("dkim: s1._domainkey.news.example.com") })
    #expect(findings.filter { $0.subject == .name || $0.subject == .unsubscribe }.count == 2)
    #expect(try await self.findings(variables: ["BELFRY_EMAIL_BULK_CONNECTIONS": "1"]).count == 10)
  }

  @Test func `without links to unsubscribe the check says what is missing`() async throws {
    let findings = try await findings(variables: ["BELFRY_PUBLIC_URL": ""])
    #expect(objections(findings, .note).count == 1 && findings.last?.text.contains("BELFRY_PUBLIC_URL") == true)
  }

  @Test func `the link that stops a mail needs keys and an address`() async throws {
    for missing in ["BELFRY_UNSUBSCRIBE_KEYS", "BELFRY_PUBLIC_URL"] {
      let finding = try #require(try await findings(variables: [missing: ""]).last)
      #expect(finding.verdict == .note && finding.advice != nil && finding.text.contains(missing), "\(finding)")
    }
  }

  @Test func `a gateway with other keys does not know the link`() async throws {
    let findings = try await findings(variables: ["BELFRY_UNSUBSCRIBE_KEYS": String(repeating: "o", count: 32)])
    #expect(objections(findings) == ["unsubscribe: https://notify.example.com does not know the link of a mail: 404"])
    #expect(findings.last?.advice?.contains("BELFRY_UNSUBSCRIBE_KEYS") == true)
  }

  @Test(arguments: [
    (200, "<h1>Welcome to our shop</h1>", "shows a page that is not Belfry's"),
    (301, "", "redirects the link of a mail"),
    (401, "", "answers the link of a mail with 401"), (503, "", "answers the link of a mail with 503"),
  ]) func `a link that leads elsewhere fails`(_ status: Int, _ body: String, _ words: String) async throws {
    let findings = try await findings(page: { _ in MailCheck.Page(status: status, body: Array(body.utf8)) })
    let objections = objections(findings)
    #expect(objections.count == 1 && objections[0].contains(words), "\(objections)")
  }

  @Test(arguments: [
    (TransportError.Code.tls, MailFinding.Verdict.bad), (.tooLarge, .bad), (.cannotConnect, .note), (.timeout, .note),
  ])
  func
    `an address that cannot be reached from here is noted; a certificate that is none and a page that is not ours fail`(
      _ code: TransportError.Code,
      _ verdict: MailFinding.Verdict
    ) async throws
  {
    let findings = try await findings(page: { _ throws(TransportError) in
      throw TransportError(code, isTransient: false)
    })
    #expect(findings.last?.verdict == verdict && findings.last?.advice != nil)
    #expect(findings.dropLast().allSatisfy { $0.verdict == .good })
  }

  @Test func `whoever looks too often is told to try again, and not to mend a proxy`() async throws {
    let findings = try await findings(page: { _ in MailCheck.Page(status: 429, body: []) })
    #expect(findings.last?.verdict == .note && findings.last?.advice?.hasPrefix("try again") == true)
  }

  @Test(
    arguments: [
      (["example.com"], [], nil, "--address: expected an IP address, got 'example.com'"),
      ([], ["s 1"], nil, "--selector: expected the name of a DKIM key"),
      ([], ["s1@"], nil, "--selector: expected the name of a DKIM key"),
      ([], ["s1@a.example@b.example"], nil, "--selector: expected the name of a DKIM key"),
      ([], [], "dns.example", "--resolver: expected an IP address"),
    ] as [([String], [String], String?, String)]
  )
  func `options that are none are named`(
    _ addresses: [String],
    _ selectors: [String],
    _ resolver: String?,
    _ words: String
  ) {
    let settings = Settings(variables: [:])
    _ = MailCheck(addresses: addresses, selectors: selectors, resolver: resolver, reporting: settings)
    let error = #expect(throws: StartError.self) { try settings.validate() }
    #expect(error?.description.hasPrefix(words) == true)
  }
}
