import TestSupport
import Testing

@testable import MailReports

/// Bounces of anybody's making: read or refused, never a crash.
@Suite struct MailReportFuzzTests {
  private static let samples = [
    SampleReports.postfix, SampleReports.delayed, SampleReports.international, SampleReports.complaint,
    StandardReports.severalRecipients, StandardReports.headersAlone, StandardReports.internationalized,
  ].map(SampleReports.mail)

  @Test(arguments: 0..<7)
  func `a damaged report is read or refused`(_ sample: Int) {
    var random = SplitMix64(seed: UInt64(sample) + 25)
    for _ in 0..<TestScope.cases(400, long: 6_000) {
      var bytes = Self.samples[sample]
      for _ in 0..<1 + random.below(8) { Self.damage(&bytes, &random) }
      do {
        let report = try MailReport.parse(bytes)
        if case .delivery(let fates) = report.kind {
          #expect(fates.count <= MailReport.maximumRecipients)
          #expect(fates.allSatisfy { ($0.diagnostic?.count ?? 0) <= 1_000 })
        }
        #expect(report.returnAddresses.count <= MailReport.maximumReturnAddresses)
      } catch {
        #expect(!error.description.isEmpty)
      }
    }
  }

  private static func damage(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
    guard !bytes.isEmpty else { return }
    let place = random.below(bytes.count)
    switch random.below(6) {
    case 0: bytes[place] = UInt8(truncatingIfNeeded: random.below(256))
    case 1: bytes.removeSubrange(place..<min(bytes.count, place + 1 + random.below(80)))
    case 2: bytes.insert(contentsOf: random.bytes(random.below(40)), at: place)
    case 3: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + random.below(400))], at: place)
    case 4: bytes.removeSubrange(place...)
    default:
      let words = [
        "\r\n\r\n", "--", "Content-Type: multipart/mixed; boundary=x\r\n", "\"", ";", "\\x{110000}", "=", ":",
      ]
      bytes.insert(contentsOf: Array(words[random.below(words.count)].utf8), at: place)
    }
  }

  @Test(arguments: [0x0a, 0x20, 0x3a, 0x2d, 0x61] as [UInt8])
  func `a megabyte of one character takes no long time`(_ byte: UInt8) {
    let start = ContinuousClock.now
    for header in ["multipart/report; boundary=\"-\"", "message/delivery-status", "message/feedback-report"] {
      let bytes = SampleReports.mail("Content-Type: \(header)\n\n--\n")
      _ = try? MailReport.parse(bytes + Array(repeating: byte, count: 1_048_576))
      _ = try? MailReport.parse(SampleReports.mail("Content-Type: ") + Array(repeating: byte, count: 1_048_576))
    }
    // Were it not linear, it would be hours.
    #expect(start.duration(to: .now) < .seconds(60))
  }

  @Test func `a boundary that is the beginning of another does not end its part`() throws {
    let text = """
      Content-Type: multipart/report; boundary="a"

      --a
      Content-Type: multipart/mixed; boundary="ab"

      --ab
      Content-Type: message/delivery-status

      Reporting-MTA: dns; m

      Final-Recipient: rfc822; ann@example.net
      Action: failed
      Status: 5.1.1
      --ab--
      --a--
      """
    guard case .delivery(let fates) = try MailReport.parse(SampleReports.mail(text)).kind else {
      Issue.record("no delivery")
      return
    }
    #expect(fates.map(\.finalRecipient) == ["ann@example.net"])
  }
}
