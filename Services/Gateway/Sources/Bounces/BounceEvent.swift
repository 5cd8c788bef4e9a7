import Foundation
import BelfryJSON
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
  /// When the provider took the mail, where it says so: soon after, the outcome may not be written down yet.
  var taken: Date?
  /// When what is reported happened. Mails of others in the same account bounce now, too: it says something beside an id of ours alone.
  var reported: Date?

  /// Whether the mail is so new that it may be ours although it is not found. One of ours may have waited long before it was delivered.
  func isEarly(at now: Date) -> Bool {
    func isNear(_ time: Date?, _ seconds: TimeInterval) -> Bool {
      time.map { abs(now.timeIntervalSince($0)) <= seconds } ?? false
    }
    let made = traces.compactMap(\.notification?.time)
    return isNear(taken, 60) || made.contains { isNear($0, 600) } || !made.isEmpty && isNear(reported, 60)
  }
}

extension DeliveryStore.MailTrace {
  /// What a Message-ID leads to: our own has the notification's id, which has a time, and a provider that replaces it puts its id there.
  ///
  /// - Parameters:
  ///   - messageID: Without angle brackets.
  ///   - shortest: Characters of a provider's id.
  static func of(messageID: String, shortest: Int) -> DeliveryStore.MailTrace? {
    let local = messageID.prefix { $0 != "@" }
    if let notification = NotificationID(String(local)), notification.time != nil {
      return DeliveryStore.MailTrace(notification: notification)
    }
    return of(providerID: String(local), shortest: shortest)
  }

  /// Ids that are too short name other mails as well. One with other characters than letters, digits and signs is none of those that we keep.
  static func of(providerID: String?, shortest: Int) -> DeliveryStore.MailTrace? {
    guard let providerID, (shortest...200).contains(providerID.utf8.count),
      providerID.utf8.allSatisfy({ 0x21...0x7e ~= $0 })
    else { return nil }
    return DeliveryStore.MailTrace(providerID: providerID)
  }

  static func of(messageID: String) -> DeliveryStore.MailTrace? { of(messageID: messageID, shortest: shortestProven) }

  static func of(providerID: String?) -> DeliveryStore.MailTrace? {
    of(providerID: providerID, shortest: shortestProven)
  }

  /// Of a report that is proven.
  private static let shortestProven = 5
  /// Of one that anybody could have written. The ids of queues can be guessed, a clock and a number of few bits: Exim's have up to 23
  /// characters, Postfix's long ones 17. A UUID has 36, Postmark's, and SES's ids have 60.
  static let shortestUnproven = 36
}

extension JSONParser {
  /// Reads what a provider reports. It quotes servers' words, whatever is in them: half a surrogate pair in one event must not lose the others.
  static func report(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
    try parse(bytes[...], loneSurrogates: .replaced)
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
