import Foundation
import NotificationModel
import NotificationStore
import Synchronization
import TestSupport
import Testing

@testable import Gateway

/// Damaged and odd reports on their way to a suppression: no address is suppressed but the one that is proven, or matched.
@Suite struct ReturnedMailFuzzTests {
  /// Remembers what is handed on.
  private final class Witness: SuppressionRecording {
    private let store: SuppressionStore
    private let seen = Mutex<[SuppressionEvidence]>([])

    init(_ store: SuppressionStore) {
      self.store = store
    }

    func record(_ evidence: [SuppressionEvidence]) async throws {
      seen.withLock { $0 += evidence }
      try await store.record(evidence)
    }

    func take() -> [SuppressionEvidence] {
      seen.withLock { seen in
        defer { seen = [] }
        return seen
      }
    }
  }

  /// Somebody with a mail that was delivered.
  private struct Addressee {
    let address: String
    let id: String
    /// Where the mail returns.
    let returnAddress: String

    /// What only the mail's own report has.
    var token: String { String(returnAddress.prefix { $0 != "@" }.drop { $0 != "+" }.dropFirst()) }

    init(_ address: String, _ gateway: TestGateway) async throws {
      let (user, id) = try await gateway.mail(to: address)
      self.address = address
      self.id = "\(id)"
      returnAddress = try #require(ReturnedMailFuzzTests.returnPath?.address(for: user, id))
    }
  }

  private static let returnPath = ReturnPath("bounces@b.example.com", secrets: [BounceSigner.returnSecret])

  private static func take(
    _ mail: [UInt8],
    isSigned: Bool,
    _ gateway: TestGateway,
    _ witness: Witness
  ) async throws -> [SuppressionEvidence] {
    let now = Date.now
    let path = isSigned ? try #require(returnPath) : .none
    let returned: ReturnedMail
    do throws(BounceRefusal) {
      returned = try ReturnedMail(mail, path, at: now)
    } catch {
      return []
    }
    let mails = DeliveryStore(client: gateway.database)
    let recorder = BounceRecorder(mails: mails, suppressions: witness, logger: .quiet)
    let tally = try await recorder.record(returned.events, from: .mail, at: now)
    let evidence = witness.take()
    #expect(tally.recorded == evidence.count)
    return evidence
  }

  /// Postfix's own bounces, and complaints, of somebody's mail.
  private static func reports(of person: Addressee) throws -> [String] {
    let ours = "bounces+\(String(repeating: "A", count: 56))@bounces.example.com"
    let bounces = try ["unknown", "full", "policy", "plain"].enumerated().map { number, name in
      try Repository.text("Tests/MailReportsTests/Postfix/\(name).eml")
        .replacing(ours, with: person.returnAddress)
        .replacing("\(name)@example.net", with: person.address)
        .replacing("019a8b7c-6d5e-7f40-8123-45678900000\(number)", with: person.id)
    }
    let cut = ReturnedMails.complaint(to: person.returnAddress, messageID: "\(person.id)@example.com")
    let whole = cut.replacing("\nVersion: 1\n", with: "\nVersion: 1\nOriginal-Rcpt-To: <\(person.address)>\n")
    return bounces + [cut, whole]
  }

  // MARK: Damage

  /// One to four changes: bits and pieces; a part of the other report; another's address or id; a signature that is almost right.
  private static func damaged(
    _ report: [UInt8],
    other: [UInt8],
    _ changes: [(from: String, to: String)],
    _ random: inout SplitMix64
  ) -> [UInt8] {
    var bytes = report
    for _ in 0...random.below(4) {
      guard !bytes.isEmpty else { break }
      let place = random.below(bytes.count)
      switch random.below(5) {
      case 0: bytes = random.mutated(bytes)
      case 1:
        let start = random.below(other.count)
        bytes.insert(contentsOf: other[start...].prefix(random.below(800)), at: place)
      case 2: bytes.insert(contentsOf: bytes[place...].prefix(random.below(800)), at: random.below(bytes.count))
      case 3: bytes.removeSubrange(place..<min(bytes.count, place + 1 + random.below(120)))
      default:
        let change = changes[random.below(changes.count)]
        let found = bytes.ranges(of: Array(change.from.utf8))
        if !found.isEmpty { bytes.replaceSubrange(found[random.below(found.count)], with: Array(change.to.utf8)) }
      }
    }
    return bytes
  }

  /// Whether a report may say this of this address: it has the mail's own signature; where nothing is signed, the mail's id, and the
  /// address unless it is a complaint, from which that is cut.
  private static func isAsked(_ evidence: SuppressionEvidence, of person: Addressee, by mail: [UInt8], isSigned: Bool)
    -> Bool
  {
    let text = String(decoding: mail, as: UTF8.self)
    if isSigned { return text.contains(person.token) }
    let small = text.lowercased()
    return small.contains(person.id.lowercased())
      && (evidence.kind == .complaint || small.contains(person.address.lowercased()))
  }

  @Test(arguments: [true, false])
  func `no damaged report suppresses an address that it neither proves nor matches`(_ isSigned: Bool) async throws {
    try await TestGateway.with { gateway in
      let ann = try await Addressee("ann@example.net", gateway)
      let ben = try await Addressee("ben@example.org", gateway)
      let cleo = try await Addressee("cleo@example.com", gateway)
      let people = [ann, ben, cleo]
      let witness = Witness(SuppressionStore(client: gateway.database))
      let reports = try Self.reports(of: ann).map { Array($0.utf8) }
      let others = try Self.reports(of: cleo).map { Array($0.utf8) }
      let forged = String(ann.token.reversed())
      let changes = [
        (ann.address, ben.address), (ann.id, ben.id), (ann.token, forged), ("cleo@example.com", ben.address),
        ("Action: failed", "Action: delivered"), ("5.7.1", "5.1.1"), ("feedback-report", "delivery-status"),
      ]
      var counts: [String: Int] = [:]
      for seed in 0..<TestScope.cases(300, long: 4_000) {
        var random = SplitMix64(seed: UInt64(seed))
        let report = reports[random.below(reports.count)]
        let mail = Self.damaged(report, other: others[random.below(others.count)], changes, &random)
        for evidence in try await Self.take(mail, isSigned: isSigned, gateway, witness) {
          counts[evidence.address, default: 0] += 1
          let person = try #require(people.first { $0.address == evidence.address }, "seed \(seed): \(evidence)")
          #expect(
            Self.isAsked(evidence, of: person, by: mail, isSigned: isSigned),
            "seed \(seed): \(evidence.kind) of \(person.address)"
          )
        }
      }
      // Much of it is still a report: it is not for want of those that nothing is wrong.
      #expect(counts[ann.address, default: 0] > 30, "\(counts)")
      let suppressed = try await gateway.suppressed() + gateway.suppressed(.complaint)
      #expect(suppressed.contains(ann.address) && Set(suppressed).isSubset(of: counts.keys))
      // Many name Ben and the id of his mail, and none of these comes to the address of it.
      if isSigned { #expect(!suppressed.contains(ben.address)) }
    }
  }

  @Test(arguments: [true, false]) func `what is not damaged says what it says`(_ isSigned: Bool) async throws {
    try await TestGateway.with { gateway in
      let ann = try await Addressee("ann@example.net", gateway)
      let witness = Witness(SuppressionStore(client: gateway.database))
      var kinds: [[SuppressionEvidence.Kind]] = []
      for report in try Self.reports(of: ann) {
        let evidence = try await Self.take(Array(report.utf8), isSigned: isSigned, gateway, witness)
        #expect(evidence.allSatisfy { $0.address == ann.address })
        kinds.append(evidence.map(\.kind))
      }
      #expect(
        kinds == [
          [.permanent("5.1.1")], [.permanent("5.2.2")], [], [.permanent("5.0.0")], [.complaint], [.complaint],
        ]
      )
    }
  }

  // MARK: Odd ones

  /// Bounces of one mail, and whether they suppress its address.
  private static func oddities(of person: Addressee) -> [(what: String, mail: [UInt8], suppresses: Bool)] {
    func bounce(_ change: (String) -> String = { $0 }) -> [UInt8] {
      Array(
        change(
          ReturnedMails.bounce(
            to: person.returnAddress,
            of: person.address,
            messageID: "\(person.id)@example.com"
          )
        ).utf8
      )
    }
    func nested(_ levels: Int) -> [UInt8] {
      let start = (0..<levels).map { "Content-Type: multipart/mixed; boundary=\"n\($0)\"\n\n--n\($0)\n" }.joined()
      return Array("To: \(person.returnAddress)\n".utf8) + Array(start.utf8) + bounce()
    }
    func replacing(_ old: String, _ new: [UInt8]) -> [UInt8] {
      var bytes = bounce()
      for range in bytes.ranges(of: Array(old.utf8)).reversed() { bytes.replaceSubrange(range, with: new) }
      return bytes
    }
    func upTo(_ words: String) -> [UInt8] {
      bounce { text in text.firstRange(of: words).map { String(text[..<$0.lowerBound]) } ?? "" }
    }
    let zeros = [UInt8](repeating: 0, count: 5_000)
    return [
      ("3 levels deep", nested(3), true), ("100 levels deep", nested(100), false),
      (
        "of a charset that nobody knows", bounce { $0.replacing("text/plain", with: "text/plain; charset=x-none") },
        true
      ),
      (
        "of a charset that it is not in",
        bounce {
          $0.replacing("message/delivery-status", with: "message/delivery-status; charset=utf-16")
        }, true
      ),
      ("with bytes of no charset", replacing("no such user", [0xff, 0xfe, 0xc3, 0x28, 0xe9]), true),
      ("with zeros for words", replacing("no such user", zeros), true),
      ("with zeros for the returned mail", replacing("Hello", zeros), true),
      ("with zeros for the first part", replacing("It came back.", zeros), true),
      ("with a zero in the status", replacing("Status: 5.1.1", Array("Status: 5.\0.1".utf8)), true),
      ("of zeros", zeros, false), ("broken off in the returned mail", upTo("Hello"), true),
      ("broken off before the words", upTo("Diagnostic-Code"), true),
      ("broken off before the action", upTo("Action"), false),
      ("broken off before the report", upTo("Content-Type: message/delivery-status"), false),
    ]
  }

  @Test func `an odd report is read as far as it is one, and suppresses nobody else`() async throws {
    try await TestGateway.with { gateway in
      let ann = try await Addressee("ann@example.net", gateway)
      let witness = Witness(SuppressionStore(client: gateway.database))
      for (what, mail, suppresses) in Self.oddities(of: ann) {
        let evidence = try await Self.take(mail, isSigned: true, gateway, witness)
        #expect(evidence.map(\.address) == (suppresses ? [ann.address] : []), "\(what)")
        #expect(evidence.allSatisfy { $0.kind == .permanent("5.1.1") }, "\(what)")
      }
      #expect(try await gateway.suppressed() == [ann.address])
    }
  }
}
