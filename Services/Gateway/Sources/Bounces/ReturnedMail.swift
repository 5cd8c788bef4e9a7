import Foundation
import MailReports
import NotificationModel
import NotificationStore

/// Reads a mail that came back through the pipe: what it reports, and whether it may.
struct ReturnedMail {
  let events: [BounceEvent]
  /// Whether it is about a mail whose outcome may not be written down yet: then it is to come again.
  let comesAgain: Bool

  /// As long as a mail may be on its way, an outcome may be missing: with a signed return path for a day; by the id alone, which anybody
  /// could make up, for ten minutes.
  private static let patience = (proven: 86_400.0, unproven: 600.0)

  /// - Parameters:
  ///   - bytes: The mail as it came.
  ///   - returnPath: As of the other one.
  /// - Throws: ``BounceRefusal/unreadable(_:)`` of what is no mail, besides.
  init(_ bytes: [UInt8], _ returnPath: ReturnPath, at now: Date) throws(BounceRefusal) {
    let report: MailReport
    do throws(MailReportError) {
      report = try MailReport.parse(bytes)
    } catch {
      throw .unreadable(error.description)
    }
    try self.init(report, returnPath, at: now)
  }

  /// - Parameter returnPath: Where it has secrets, nothing else proves whose mail it was.
  /// - Throws: ``BounceRefusal/forged(_:)`` of a report that does not.
  init(_ report: MailReport, _ returnPath: ReturnPath, at now: Date) throws(BounceRefusal) {
    let proven = report.returnAddresses.lazy.compactMap(returnPath.read).first
    let findings = Self.findings(report.kind)
    guard !findings.isEmpty else {
      (events, comesAgain) = ([], false)
      return
    }
    if let proven {
      let trace = DeliveryStore.MailTrace(notification: proven.notification, user: proven.user)
      // Our mails have one recipient, who may be several behind it: the first that failed is what is known.
      var event = findings[0]
      event.traces = [trace]
      event.isTracedAlone = true
      events = [event]
      comesAgain = Self.isYoung(proven.notification, Self.patience.proven, at: now)
      return
    }
    guard returnPath.isEmpty else { throw .forged("it came to no address that is signed") }
    let trace = report.messageID.flatMap {
      DeliveryStore.MailTrace.of(messageID: $0, shortest: DeliveryStore.MailTrace.shortestUnproven)
    }
    events = findings.map { event in
      var event = event
      event.traces = [trace].compactMap(\.self)
      // Providers cut the recipient out of complaints.
      event.isTracedAlone = event.finding == .complaint && event.recipients.isEmpty && trace?.notification != nil
      return event
    }
    comesAgain = trace?.notification.map { Self.isYoung($0, Self.patience.unproven, at: now) } ?? false
  }

  private static func findings(_ kind: MailReport.Kind) -> [BounceEvent] {
    switch kind {
    case .delivery(let fates):
      fates.filter { $0.action == .failed }.map { fate in
        BounceEvent(
          finding: .failure(BounceVerdict(status: fate.status, diagnostic: fate.diagnostic)),
          recipients: [fate.originalRecipient, fate.finalRecipient].compactMap(\.self),
          traces: [],
          diagnostic: fate.diagnostic ?? fate.status
        )
      }
    case .feedback(let feedback):
      feedback.isComplaint
        ? [BounceEvent(finding: .complaint, recipients: feedback.recipients, traces: [], diagnostic: feedback.type)]
        : []
    case .other: []
    }
  }

  private static func isYoung(_ notification: NotificationID, _ age: TimeInterval, at now: Date) -> Bool {
    guard let time = notification.time else { return false }
    return abs(now.timeIntervalSince(time)) <= age
  }
}
