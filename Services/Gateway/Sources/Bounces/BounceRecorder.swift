import Foundation
import Logging
import MailReports
import NotificationStore

/// Takes evidence of addresses: what the recorder needs of ``SuppressionStore``.
protocol SuppressionRecording: Sendable {
  func record(_ evidence: [SuppressionEvidence]) async throws
}

extension SuppressionStore: SuppressionRecording {}

/// Finds the mails that reports are about, and hands on what they say of addresses.
struct BounceRecorder: Sendable {
  /// What became of the events of one report.
  struct Tally: Equatable {
    /// Evidence was handed on.
    var recorded = 0
    /// It says nothing of an address.
    var ignored = 0
    /// No mail of ours was found.
    var unmatched = 0
    /// Of these, so new that one may be found soon.
    var early = 0
    /// Of a mail that came back: it does not prove whose it was.
    var forged = 0
  }

  let mails: DeliveryStore
  let suppressions: any SuppressionRecording
  let logger: Logger

  /// - Returns: How many events came to what.
  func record(_ events: [BounceEvent], from source: BounceSource, at now: Date) async throws -> Tally {
    var tally = Tally()
    var relevant: [BounceEvent] = []
    for event in events {
      switch event.finding {
      case .failure(.notTheAddress(let code)):
        tally.ignored += 1
        logger.notice(
          "a mail came back, and not for its address",
          metadata: ["source": "\(source)", "code": "\(code)"]
        )
      case _ where event.finding.kind.effect == .none: tally.ignored += 1
      default: relevant.append(event)
      }
    }
    let traces = relevant.flatMap(\.traces)
    var found = try await mails.mails(traces)[...]
    var evidence: [SuppressionEvidence] = []
    for event in relevant {
      let mails = found.prefix(event.traces.count).flatMap(\.self)
      found = found.dropFirst(event.traces.count)
      let meant = mails.filter { mail in event.isTracedAlone || event.recipients.contains { isSame($0, mail.address) } }
      guard let mail = meant.first else {
        tally.unmatched += 1
        if mails.isEmpty, event.isEarly(at: now) { tally.early += 1 }
        continue
      }
      tally.recorded += 1
      evidence.append(
        SuppressionEvidence(
          address: mail.address,
          kind: event.finding.kind,
          source: source.name,
          diagnostic: event.diagnostic.map(Self.kept),
          at: now,
          deliveryOf: (mail.user, mail.notification)
        )
      )
    }
    if !evidence.isEmpty { try await suppressions.record(evidence) }
    return tally
  }

  /// What is kept of a server's words. PostgreSQL has no U+0000 in texts, and one such event must not lose the others.
  private static func kept(_ diagnostic: String) -> String {
    String(diagnostic.prefix(1_000)).replacing("\0", with: "\u{FFFD}")
  }

  /// Of one mail: some servers write an address back in small letters.
  private func isSame(_ left: String, _ right: String) -> Bool { left.lowercased() == right.lowercased() }
}

extension BounceEvent.Finding {
  /// Of what says something of an address.
  fileprivate var kind: SuppressionEvidence.Kind {
    switch self {
    case .complaint: .complaint
    case .failure(.permanent(let code)): .permanent(code)
    case .failure(.unclear(let code)): .unclear(code)
    case .failure(.soft(let code)), .failure(.notTheAddress(let code)): .soft(code)
    }
  }
}

extension BounceSource {
  /// As suppressions name it.
  fileprivate var name: String { self == .mail ? "dsn" : rawValue }
}
