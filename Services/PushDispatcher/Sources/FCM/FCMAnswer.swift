import Dispatching
import Foundation
import JSON
import NotificationQueue
import Transport

/// Turns FCM's answer into what is to be done (FCM HTTP v1, "ErrorCode"). Pure.
///
/// Only the `errorCode` of the detail of type FcmError decides, never a text.
enum FCMAnswer: Equatable {
  /// Final or to be repeated, as the worker understands it.
  case result(DeliveryResult)
  /// FCM does not let this project or account send: for people to mend, and no fault of the target.
  case misconfigured(reason: String)
  /// Our own access token was refused.
  case accessTokenRefused
  /// A quota is used up: the project's, and every sender slows down, or that of this device alone.
  case quota(retryAfter: Duration, of: QuotaScope)

  enum QuotaScope: Equatable {
    case project
    case target
  }

  /// First retry of 5xx after at least 10 s, as Google asks.
  static let firstRetry: Duration = .seconds(10)

  init(_ response: HTTPResponse) {
    // An undecodable body has neither name nor code; the status alone decides then.
    let body = try? JSONParser.parse(response.body)
    if response.status == 200 {
      guard let name = body?["name"]?.string else {
        self = .result(.retry(reason: "FCM answered 200 without a name", first: Self.firstRetry))
        return
      }
      self = .result(.delivered(providerID: name))
      return
    }
    let retryAfter = response.headers.first("retry-after").flatMap(Self.seconds)
    let error = body?["error"]
    let code = Self.fcmCode(error)
    let reason = code ?? error?["status"]?.string ?? "HTTP \(response.status)"
    self =
      switch (response.status, code) {
      case (_, "UNREGISTERED"): .result(.rejected(reason: "UNREGISTERED", forgetsTarget: true))
      case (_, "SENDER_ID_MISMATCH"): .result(.rejected(reason: "SENDER_ID_MISMATCH", forgetsTarget: true))
      case (_, "THIRD_PARTY_AUTH_ERROR"): .result(.rejected(reason: "THIRD_PARTY_AUTH_ERROR"))
      case (401, _): .accessTokenRefused
      case (403, nil), (404, nil): .misconfigured(reason: reason)
      case (429, _):
        .quota(retryAfter: retryAfter ?? .seconds(60), of: Self.quotaScope(error))
      case (500..., _): .result(.retry(reason: reason, first: Self.firstRetry, after: retryAfter))
      default: .result(.rejected(reason: reason))
      }
  }

  /// Seconds or an HTTP date (RFC 9110, section 10.2.3).
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

  /// Whose quota it is, as `google.rpc.QuotaFailure` says. Its subjects are documented for other APIs only
  /// (`project:<id>`): what cannot be read says nothing about anybody else.
  private static func quotaScope(_ error: JSONValue?) -> QuotaScope {
    let violations = error?["details"]?.array?.first {
      $0["@type"]?.string == "type.googleapis.com/google.rpc.QuotaFailure"
    }?["violations"]?.array
    let isProject = violations?.contains { $0["subject"]?.string?.hasPrefix("project:") == true } ?? false
    return isProject ? .project : .target
  }

  /// The FcmError's code; nil where Google's front end answered and not FCM.
  private static func fcmCode(_ error: JSONValue?) -> String? {
    let detail = error?["details"]?.array?.first {
      $0["@type"]?.string == "type.googleapis.com/google.firebase.fcm.v1.FcmError"
    }
    return detail?["errorCode"]?.string
  }
}
