import BenchmarkComparison
import Cryptography
import Foundation
import LocalStack

/// Mails signed by DKIM with one RSA key of 2,048 bits, as in production, beside what they take at least: what a mail takes without, and
/// one signature of OpenSSL's.
///
/// The cost is processor time of the dispatcher: the machine's other processes have a part in the time between two mails. That time is
/// held as well, as if nothing else were done while a mail is signed. The bare signature is measured on a machine that does nothing else,
/// which makes the limit the stricter.
struct SignedMails {
  let bench: Bench
  private let window: MailWindow
  private let key: PrivateKey
  private var signed: [MailWindow.Figures] = []
  /// Processor time of a signature, in microseconds.
  private var bare: [Double] = []

  private static let keyFile = "BELFRY_EMAIL_DKIM_KEY_FILE"
  /// For each of the options' seconds.
  private static let signatures = 200

  /// Nil, with a note, for a build that signs no mails.
  init?(_ bench: Bench, _ feed: DispatchFeed) throws {
    if let known = bench.stack.configuration.knownSettings[.email], !known.contains(Self.keyFile) {
      bench.note("left out: mails signed by DKIM: this build signs none")
      return nil
    }
    self.bench = bench
    key = try PrivateKey(.rsa)
    let file = "\(bench.directory)/dkim.pem"
    try key.pem.write(toFile: file, atomically: true, encoding: .utf8)
    window = MailWindow(
      bench: bench,
      feed: feed,
      variables: [
        "BELFRY_EMAIL_DKIM_DOMAIN": "example.com", "BELFRY_EMAIL_DKIM_SELECTOR": "bench", Self.keyFile: file,
      ]
    )
  }

  /// One window, and the bare signatures.
  mutating func measure() async throws {
    signed.append(try await window.measure())
    guard try await bench.simulator.hasSignedMails() else { throw BenchError("the mails have no signature") }
    let (key, count) = (key, bench.options.seconds * Self.signatures)
    bare += try await Threads.run { _ in try SignatureLoop.measure(key, count: count) }
  }

  /// Sets the medians of all windows beside the limits.
  func report(beside unsigned: MailWindow.Figures) {
    guard let each = FigureComparison.median(signed.map(\.microsecondsEach)),
      let rate = FigureComparison.median(signed.map(\.perSecond)), let signature = FigureComparison.median(bare)
    else { return }
    bench.add(
      Measurement(
        .mail,
        "email dispatcher with DKIM: CPU of a mail",
        each,
        "µs",
        limit: ("a mail without, and OpenSSL's bare RSA-2048 signature", unsigned.microsecondsEach + signature),
        // On a core: eight tenths of the limit's rate.
        budget: .ratioAtMost(1 / 0.8)
      )
    )
    bench.add(
      Measurement(
        .mail,
        "email dispatcher with DKIM",
        rate,
        "/s",
        limit: ("1 / (time of a mail without + bare signature)", 1 / (1 / unsigned.perSecond + signature / 1_000_000)),
        budget: .shareAtLeast(0.8)
      )
    )
  }
}
