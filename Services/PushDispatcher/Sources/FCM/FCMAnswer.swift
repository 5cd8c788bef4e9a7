import Dispatching
import Foundation
import BelfryJSON
import NotificationQueue
import Transport

/// Turns FCM's answer into what is to be done (FCM HTTP v1, "ErrorCode"). Pure.
///
/// Only the `errorCode` of the detail of type FcmError decides, never a text.
enum FCMAnswer: Equatable {
  /// Final or to be repeated, as the worker understands it.
  case result(DeliveryResult)
  /// FCM does not take what we wrote, and names these fields: the target is as good as before.
  case payloadRefused(fields: [String])
  /// FCM does not let this project or account send: for people to mend, and no fault of the target.
  case misconfigured(reason: String)
  /// Our own access token was refused.
  case accessTokenRefused
  /// A quota is used up: the project's, so that every sender slows down, a topic's, or that of this device alone. Nil: FCM does not
  /// say for how long.
  case quota(retryAfter: Duration?, of: QuotaScope)

  enum QuotaScope: Equatable {
    case project
    case topic
    case device
  }

  /// No retry before, as Google asks.
  static let firstRetry: Duration = .seconds(10)
  /// After a 429 that does not say.
  static let quotaPause: Duration = .seconds(60)
  /// So many fields that FCM names are told, each cut to this length: they are another's text.
  private static let (mostFields, longestField) = (5, 100)

  init(_ response: HTTPResponse) {
    // An undecodable body has neither name nor code; the status alone decides then.
    let body = try? JSONParser.parse(response.body)
    if response.status == 200 {
      guard let name = body?["name"]?.string else {
        self = .result(
          .retry(reason: "FCM answered 200 without a name", first: Self.firstRetry, isProviderTrouble: true)
        )
        return
      }
      self = .result(.delivered(providerID: name))
      return
    }
    let retryAfter = response.headers.first("retry-after").flatMap(Self.seconds)
    let error = body?["error"]
    let code = Self.detail("google.firebase.fcm.v1.FcmError", of: error)?["errorCode"]?.string
    let reason = code ?? error?["status"]?.string ?? "HTTP \(response.status)"
    self =
      switch (response.status, code) {
      case (_, "UNREGISTERED"): .result(.rejected(reason: "UNREGISTERED", forgetsTarget: true))
      case (_, "SENDER_ID_MISMATCH"): .result(.rejected(reason: "SENDER_ID_MISMATCH", forgetsTarget: true))
      // The latter is its name of old.
      case (_, "THIRD_PARTY_AUTH_ERROR"), (_, "APNS_AUTH_ERROR"):
        .result(.rejected(reason: "THIRD_PARTY_AUTH_ERROR"))
      case (429, _), (_, "QUOTA_EXCEEDED"):
        .quota(retryAfter: retryAfter, of: Self.quotaScope(error))
      case (401, _): .accessTokenRefused
      case (403, nil), (404, nil): .misconfigured(reason: reason)
      case (500..., _):
        .result(.retry(reason: reason, first: Self.firstRetry, after: retryAfter, isProviderTrouble: true))
      case (400, _):
        if let fields = Self.refusedFields(error) {
          .payloadRefused(fields: fields)
        } else {
          .result(.rejected(reason: reason))
        }
      default: .result(.rejected(reason: reason))
      }
  }

  /// Seconds or an HTTP date (RFC 9110, section 10.2.3), up to what is waited for at all.
  static func seconds(_ text: String) -> Duration? {
    // The ladder's bound is the only one: what is shorter is waited for.
    let longest = Int(RetryLadder.longestWait / .seconds(1))
    if let seconds = Int(text) { return seconds >= 0 ? .seconds(min(seconds, longest)) : nil }
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "GMT")
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
    guard let date = formatter.date(from: text) else { return nil }
    return .seconds(min(max(0, Int(date.timeIntervalSinceNow.rounded(.up))), longest))
  }

  /// Whose quota it is, as `google.rpc.QuotaFailure` says. The widest counts if there are several. Its subjects are documented
  /// for other APIs only (`project:<id>`, or the resource's name): what cannot be read says nothing about anybody else.
  private static func quotaScope(_ error: JSONValue?) -> QuotaScope {
    let violations = detail("google.rpc.QuotaFailure", of: error)?["violations"]?.array ?? []
    let kinds = Set(
      violations.compactMap { $0["subject"]?.string?.split(whereSeparator: { ":/".contains($0) }).first?.lowercased() }
    )
    if !kinds.isDisjoint(with: ["project", "projects", "project_number"]) { return .project }
    return kinds.isDisjoint(with: ["topic", "topics"]) ? .device : .topic
  }

  /// What FCM objects to, by name; nil without a `google.rpc.BadRequest`.
  private static func refusedFields(_ error: JSONValue?) -> [String]? {
    guard let request = detail("google.rpc.BadRequest", of: error) else { return nil }
    let fields = (request["fieldViolations"]?.array ?? []).compactMap { $0["field"]?.string }
    return fields.prefix(mostFields).map { String($0.prefix(longestField)) }
  }

  /// The detail of a type; nil where Google's front end answered and not FCM.
  private static func detail(_ type: String, of error: JSONValue?) -> JSONValue? {
    error?["details"]?.array?.first { $0["@type"]?.string == "type.googleapis.com/\(type)" }
  }
}
