import Foundation
import BelfryJSON
import MailReports
import NotificationStore
import WallClock

/// Reads what Amazon SES reports in a topic: its notifications, and its event publishing, which have the same members.
enum SESReport {
  static func events(_ message: String) throws(BounceRefusal) -> [BounceEvent] {
    guard let json = try? JSONParser.report(Array(message.utf8)), json.members != nil else {
      // Amazon greets a new topic with a sentence.
      return []
    }
    let mail = json["mail"]
    let traces = [
      DeliveryStore.MailTrace.of(providerID: mail?["messageId"]?.string),
      messageID(mail).flatMap(DeliveryStore.MailTrace.of(messageID:)),
    ].compactMap(\.self)
    var events =
      switch json["notificationType"]?.string ?? json["eventType"]?.string {
      case "Bounce": bounces(json["bounce"], traces)
      case "Complaint": complaints(json["complaint"], traces)
      default: [BounceEvent]()
      }
    let taken = mail?["timestamp"]?.string.flatMap { Date(rfc3339: $0) }
    for index in events.indices { events[index].taken = taken }
    return events
  }

  /// Ours, where the topic is told the original headers.
  private static func messageID(_ mail: JSONValue?) -> String? {
    let field = mail?["headers"]?.array?.first { $0["name"]?.string?.lowercased() == "message-id" }
    return field?["value"]?.string.map { String($0.drop { $0 == "<" }.prefix { $0 != ">" }) }
  }

  private static func bounces(_ bounce: JSONValue?, _ traces: [DeliveryStore.MailTrace]) -> [BounceEvent] {
    let isPermanent = bounce?["bounceType"]?.string == "Permanent"
    let kind = bounce?["bounceSubType"]?.string ?? ""
    return (bounce?["bouncedRecipients"]?.array ?? []).prefix(100).compactMap { recipient in
      guard let address = recipient["emailAddress"]?.string else { return nil }
      let diagnostic = recipient["diagnosticCode"]?.string
      let status = recipient["status"]?.string
      let verdict: BounceVerdict =
        switch (isPermanent, kind) {
        // On Amazon's own list already: it bounced before.
        case (true, "Suppressed"), (true, "OnAccountSuppressionList"): .permanent(code: "5.1.1")
        case (true, "NoEmail"): .permanent(code: "5.1.3")
        // The recipient's server answers by a mail, which Amazon reads for us.
        case (true, _): .confirmed(status: status ?? "5.1.1", diagnostic: diagnostic)
        case (false, "MailboxFull"): .permanent(code: "5.2.2")
        default: .soft(code: status.flatMap { EnhancedStatus(leading: $0)?.text } ?? "4.0.0")
        }
      return BounceEvent(
        finding: .failure(verdict),
        recipients: [address],
        traces: traces,
        diagnostic: diagnostic ?? "\(bounce?["bounceType"]?.string ?? "") \(kind)"
      )
    }
  }

  private static func complaints(_ complaint: JSONValue?, _ traces: [DeliveryStore.MailTrace]) -> [BounceEvent] {
    let type = complaint?["complaintFeedbackType"]?.string
    guard type == nil || type == "abuse" else { return [] }
    return (complaint?["complainedRecipients"]?.array ?? []).prefix(100).compactMap { recipient in
      guard let address = recipient["emailAddress"]?.string else { return nil }
      return BounceEvent(finding: .complaint, recipients: [address], traces: traces, diagnostic: type)
    }
  }
}
