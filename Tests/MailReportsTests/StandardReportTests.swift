import MailReports
import Testing

/// The examples of the standards, read and judged.
@Suite struct StandardReportTests {
  /// What is read of one recipient, and what it says of the address.
  private struct Read: Equatable {
    let action: RecipientFate.Action
    let status: String
    let recipient: String?
    let verdict: BounceVerdict
  }

  private static func read(_ text: String) throws -> (report: MailReport, fates: [Read]) {
    let report = try MailReport.parse(SampleReports.mail(text))
    var fates: [RecipientFate] = []
    if case .delivery(let found) = report.kind { fates = found }
    return (
      report,
      fates.map { fate in
        Read(
          action: fate.action,
          status: fate.status ?? "",
          recipient: fate.finalRecipient,
          verdict: BounceVerdict(status: fate.status, diagnostic: fate.diagnostic)
        )
      }
    )
  }

  @Test func `RFC 3464, appendix E.1: what timed out for days says nothing of the address`() throws {
    let (report, fates) = try Self.read(StandardReports.simple)
    #expect(
      fates == [
        Read(action: .failed, status: "4.0.0", recipient: "louisl@larry.slip.umd.edu", verdict: .soft(code: "4.0.0"))
      ]
    )
    #expect(report.messageID == "simple@cs.utk.edu")
    #expect(report.returnAddresses == ["owner-info-mime@cs.utk.edu"])
  }

  @Test func `RFC 3464, appendix E.2: each of several recipients has a fate of its own`() throws {
    let (report, fates) = try Self.read(StandardReports.severalRecipients)
    #expect(
      fates == [
        Read(action: .failed, status: "5.0.0", recipient: "arathib@vnet.ibm.com", verdict: .unclear(code: "5.0.0")),
        Read(action: .delayed, status: "4.0.0", recipient: "johnh@hpnjld.njd.hp.com", verdict: .soft(code: "4.0.0")),
        Read(action: .failed, status: "5.0.0", recipient: "wsnell@sdcc13.ucsd.edu", verdict: .permanent(code: "5.0.0")),
      ]
    )
    guard case .delivery(let read) = report.kind else { return }
    #expect(read.first?.diagnostic == "smtp; 550 'arathib@vnet.IBM.COM' is not a registered gateway user")
  }

  @Test func `RFC 3464, appendix E.3: an address of another system is none of a mail`() throws {
    let (report, fates) = try Self.read(StandardReports.gateway)
    #expect(fates == [Read(action: .failed, status: "5.0.0", recipient: nil, verdict: .notTheAddress(code: "5.0.0"))])
    #expect(report.messageID == nil && report.returnAddresses == ["owner-ups-mib@CS.UTK.EDU"])
  }

  @Test func `RFC 3464, appendix E.4: a warning is no failure`() throws {
    let (report, fates) = try Self.read(StandardReports.delayed)
    #expect(
      fates == [
        Read(action: .delayed, status: "4.0.0", recipient: "thomas@de-montfort.ac.uk", verdict: .soft(code: "4.0.0"))
      ]
    )
    #expect(report.messageID == nil)
  }

  @Test func `RFC 6522: of a mail that came back, its header is enough`() throws {
    let (report, fates) = try Self.read(StandardReports.headersAlone)
    #expect(
      fates == [
        Read(action: .failed, status: "5.1.1", recipient: "ann@example.net", verdict: .permanent(code: "5.1.1"))
      ]
    )
    #expect(report.messageID == "headers@example.com")
    #expect(report.returnAddresses == ["bounces+token@bounces.example.com"])
  }

  @Test func `RFC 6533: addresses and words are read in UTF-8`() throws {
    let (report, fates) = try Self.read(StandardReports.internationalized)
    #expect(
      fates == [
        Read(action: .failed, status: "5.1.1", recipient: "jörg@example.net", verdict: .permanent(code: "5.1.1")),
        Read(action: .delayed, status: "4.4.1", recipient: "ann@example.net", verdict: .soft(code: "4.4.1")),
      ]
    )
    guard case .delivery(let read) = report.kind else { return }
    #expect(read.first?.originalRecipient == "Jörg@example.net")
    #expect(read.first?.diagnostic == "smtp; 550 5.1.1 kein Postfach für jörg")
    #expect(report.messageID == "global@example.com")
    #expect(report.returnAddresses == ["bounces+token@bounces.example.com"])
  }

  @Test func `RFC 6533: where only ASCII passes, the original address is read all the same`() throws {
    let (report, fates) = try Self.read(StandardReports.internationalizedInASCII)
    #expect(
      fates == [
        Read(action: .failed, status: "5.1.1", recipient: "joerg@example.net", verdict: .permanent(code: "5.1.1"))
      ]
    )
    guard case .delivery(let read) = report.kind else { return }
    #expect(read.first?.originalRecipient == "Jörg@example.net")
    #expect(report.messageID == "ascii@example.com")
  }
}
