import Foundation
import MailReports
import NotificationModel
import NotificationStore

/// What somebody reported of one mail. Proven: the report's own proof holds; that it is about a mail of ours is looked up.
struct BounceEvent: Sendable, Equatable {
  enum Finding: Sendable, Equatable {
    case failure(BounceVerdict)
    case complaint
  }

  var finding: Finding
  /// Whom the mail was to, as the report has it.
  var recipients: [String]
  /// By which the mail is found.
  var traces: [DeliveryStore.MailTrace]
  /// The server's words.
  var diagnostic: String?
  /// Whether the traces alone say whose mail it was, whatever recipients are named: a signed return path, a complaint without recipients.
  var isTracedAlone = false
  /// When the provider took the mail, or reports of it: soon after, its outcome may not be written down yet.
  var time: Date?

  /// Whether the mail is so new that it may be ours although it is not found: by its own id, or by what the provider says.
  func isEarly(at now: Date) -> Bool {
    let made = traces.compactMap(\.notification?.time)
    if !made.isEmpty { return made.contains { abs(now.timeIntervalSince($0)) <= 600 } }
    return time.map { abs(now.timeIntervalSince($0)) <= 60 } ?? false
  }
}

extension DeliveryStore.MailTrace {
  /// What a Message-ID leads to: our own has the notification's id, and a provider that replaces it puts its id there.
  ///
  /// - Parameter messageID: Without angle brackets.
  static func of(messageID: String) -> DeliveryStore.MailTrace? {
    let local = messageID.prefix { $0 != "@" }
    if let notification = NotificationID(String(local)) { return DeliveryStore.MailTrace(notification: notification) }
    return of(providerID: String(local))
  }

  /// Ids that are too short name other mails as well.
  static func of(providerID: String?) -> DeliveryStore.MailTrace? {
    guard let providerID, (5...200).contains(providerID.utf8.count) else { return nil }
    return DeliveryStore.MailTrace(providerID: providerID)
  }
}

/// Why a report is not taken.
enum BounceRefusal: Error, Equatable {
  /// It proves nothing: its signature, topic, password or time is wrong.
  case forged(String)
  /// It is proven and was taken before.
  case repeated
  /// It cannot be read.
  case unreadable(String)
  /// What proves it cannot be fetched just now.
  case unavailable(String)
}

/// Who reports.
enum BounceSource: String, Sendable, CaseIterable {
  case mail, ses, postmark, sendgrid, mailgun
}
