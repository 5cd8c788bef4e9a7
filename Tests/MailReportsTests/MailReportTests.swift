import MailReports
import Testing

@Suite struct MailReportTests {
  @Test func `Postfix's report says who, why, and which mail it was`() throws {
    let report = try MailReport.parse(SampleReports.mail(SampleReports.postfix))
    #expect(
      report.kind
        == .delivery([
          RecipientFate(
            action: .failed,
            status: "5.1.1",
            finalRecipient: "ann@example.net",
            originalRecipient: "Ann@example.net",
            diagnostic: "smtp; 550 5.1.1 <ann@example.net>: Recipient address rejected:    User unknown"
          )
        ])
    )
    #expect(report.returnAddresses == ["bounces+token@bounces.example.com"])
    #expect(report.messageID == "019a8b7c-6d5e-7f40-8123-456789abcdef@example.com")
  }

  @Test func `lines may end in a line feed alone, and a mail in the middle`() throws {
    let whole = try MailReport.parse(SampleReports.mail(SampleReports.postfix))
    #expect(try MailReport.parse(Array(SampleReports.postfix.utf8)) == whole)
    let cut = SampleReports.postfix.firstRange(of: "World").map { SampleReports.postfix[..<$0.lowerBound] }
    #expect(try MailReport.parse(Array(try #require(cut).utf8)) == whole)
    // As a pipe has it.
    #expect(
      try MailReport.parse(
        Array("From MAILER-DAEMON Sat Nov 28 10:00:00 2026\n".utf8) + Array(SampleReports.postfix.utf8)
      ) == whole
    )
  }

  /// Exim writes 5.0.0 for everything, and the answer of the last try only if there was one.
  @Test func `a report of Exim that gave up waiting blames nobody`() throws {
    for (words, verdict) in [
      ("Diagnostic-Code: smtp; 451 4.7.1 greylisted", BounceVerdict.soft(code: "4.7.1")),
      ("Diagnostic-Code: smtp; 452 mailbox full", .soft(code: "4.0.0")),
      ("Remote-MTA: dns; mx.example.net", .notTheAddress(code: "5.0.0")),
      ("Diagnostic-Code: smtp; 550 Unknown user", .permanent(code: "5.0.0")),
    ] {
      let report = try MailReport.parse(SampleReports.mail(SampleReports.exim(words)))
      guard case .delivery(let fates) = report.kind, let fate = fates.first else {
        Issue.record("\(report.kind)")
        continue
      }
      #expect(fate.action == .failed && fate.status == "5.0.0" && fate.finalRecipient == "ann@example.net")
      #expect(BounceVerdict(status: fate.status, diagnostic: fate.diagnostic) == verdict, "\(words)")
      #expect(report.returnAddresses.contains("bounces+token@bounces.example.com"))
      #expect(report.messageID == "019a8b7c-6d5e-7f40-8123-456789abcdef@example.com")
    }
  }

  @Test func `each recipient has a fate of its own`() throws {
    let report = try MailReport.parse(SampleReports.mail(SampleReports.delayed))
    guard case .delivery(let fates) = report.kind else {
      Issue.record("\(report.kind)")
      return
    }
    #expect(fates.map(\.action) == [.delayed, .failed])
    #expect(fates.map(\.status) == ["4.0.0", "4.4.7"])
    #expect(fates.map(\.finalRecipient) == ["arathib@vnet.ibm.com", "johnh@hpnjld.njd.hp.com"])
  }

  @Test func `an address of another script is read as it is, or as it is written in ASCII`() throws {
    let report = try MailReport.parse(SampleReports.mail(SampleReports.international))
    #expect(
      report.kind
        == .delivery([
          RecipientFate(
            action: .failed,
            status: "5.1.6",
            finalRecipient: "j\u{F6}rg@example.net",
            originalRecipient: "J\u{F6}rg@example.net"
          )
        ])
    )
    #expect(report.messageID == "m@example.com")
  }

  @Test func `a complaint says whose it is, as far as that is not cut`() throws {
    let report = try MailReport.parse(SampleReports.mail(SampleReports.complaint))
    #expect(report.kind == .feedback(MailFeedback(type: "abuse", recipients: ["user@example.com"])))
    #expect(report.returnAddresses == ["somespammer@example.net", "abuse@example.net"])
    #expect(report.messageID == "8787KJKJ3K4J3K4J3K4J3.mail@example.net")
    let cut = SampleReports.complaint.replacing("Original-Rcpt-To: <user@example.com>\n", with: "")
    #expect(try MailReport.parse(SampleReports.mail(cut)).kind == .feedback(MailFeedback(type: "abuse")))
  }

  @Test(arguments: [("abuse", true), ("not-spam", false), ("fraud", false), ("virus", false), ("other", false)])
  func `only abuse is a complaint`(_ type: String, _ isComplaint: Bool) throws {
    let text = SampleReports.complaint.replacing("Feedback-Type: abuse", with: "Feedback-Type: \(type)")
    guard case .feedback(let feedback) = try MailReport.parse(SampleReports.mail(text)).kind else {
      Issue.record("no feedback")
      return
    }
    #expect(feedback.isComplaint == isComplaint)
  }

  @Test func `a person's answer reports nothing, not even one that brings a report along`() throws {
    let answer = "From: Ann <ann@example.net>\nTo: news@example.com\nSubject: Re: Hello\n\nThank you."
    #expect(try MailReport.parse(SampleReports.mail(answer)) == MailReport(kind: .other))
    let forwarded =
      "From: Ann <ann@example.net>\nContent-Type: multipart/mixed; boundary=outer\n\n--outer\n"
      + "Content-Type: message/rfc822\n\n\(SampleReports.postfix)\n--outer--\n"
    #expect(try MailReport.parse(SampleReports.mail(forwarded)).kind == .other)
  }

  @Test func `a report that a mailing list wrapped is found`() throws {
    let inner = SampleReports.postfix.firstRange(of: "Content-Type: multipart/report").map {
      SampleReports.postfix[$0.lowerBound...]
    }
    let wrapped =
      "From: list@example.com\nContent-Type: multipart/mixed; boundary=\"outer\"\n\n--outer\n\(try #require(inner))\n--outer--\n"
    guard case .delivery(let fates) = try MailReport.parse(SampleReports.mail(wrapped)).kind else {
      Issue.record("no delivery")
      return
    }
    #expect(fates.count == 1)
  }

  @Test func `what is too large, too deep, of too many parts or no mail is refused`() throws {
    #expect(throws: MailReportError.tooLarge(limit: 10 * 1_024 * 1_024)) {
      try MailReport.parse(Array(repeating: UInt8(ascii: "a"), count: 10 * 1_024 * 1_024 + 1))
    }
    let deep = (0..<20).map { "Content-Type: multipart/mixed; boundary=b\($0)\n\n--b\($0)\n" }.joined()
    #expect(throws: MailReportError.tooDeep(limit: 8)) { try MailReport.parse(SampleReports.mail(deep)) }
    let wide = "Content-Type: multipart/mixed; boundary=b\n\n" + String(repeating: "--b\n\nx\n", count: 200)
    #expect(throws: MailReportError.tooManyParts(limit: 100)) { try MailReport.parse(SampleReports.mail(wide)) }
    let long = String(repeating: "X-A: 1\n", count: 2_000) + "\nbody"
    #expect(throws: MailReportError.tooManyHeaders(limit: 1_000)) { try MailReport.parse(SampleReports.mail(long)) }
    for text in ["", "\n\n", "no mail at all", "\u{0}\u{1}\u{2}"] {
      #expect(throws: MailReportError.noMail) { try MailReport.parse(Array(text.utf8)) }
    }
  }

  @Test func `what is no UTF-8 is read all the same`() throws {
    var bytes = SampleReports.mail(SampleReports.postfix)
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("User unknown\r\n\r\n--".utf8)) })
    bytes.replaceSubrange(place..<place + 4, with: [0xff, 0xfe, 0xe4, 0xf6])
    guard case .delivery(let fates) = try MailReport.parse(bytes).kind else {
      Issue.record("no delivery")
      return
    }
    #expect(fates.first?.diagnostic?.hasSuffix("\u{FFFD} unknown") == true)
  }
}
