import Dispatching
import Foundation
import BelfryJSON
import NotificationModel
import Transport

/// Turns a push service's answer into what is to be done (RFC 8030, RFC 8292, and what the services of browsers' makers say). Pure.
///
/// The status decides. What they say beside it is for people.
enum WebPushAnswer: Equatable {
  /// It will be pushed; the push service calls it by this address.
  case accepted(location: String?)
  /// The subscription is no more.
  case gone(reason: String)
  /// It does not take so much, although it should.
  case tooLarge
  /// Our signature or our request, or a subscription that was made with a key of others. `isClockWrong`: the answer is of another time.
  case refused(reason: String, isClockWrong: Bool = false)
  /// Too much was sent, to this subscription or in all.
  case tooMany(reason: String, after: Duration?)
  /// It may work later. `isTrouble`: the push service failed (5xx) or did not answer in time.
  case retry(reason: String, first: Duration, after: Duration? = nil, isTrouble: Bool = false)
  /// Refused for good.
  case rejected(reason: String)
  /// It was not tried: the service stops.
  case abandoned

  /// First retry of what a server did not do.
  static let firstRetry = Duration.seconds(60)
  /// In characters: of what a push service says, so much is told.
  private static let longestReason = 100

  init(_ response: HTTPResponse, now: Date = .now) {
    let after = response.headers.first("retry-after").flatMap(FCMAnswer.seconds)
    let reason = Self.reason(response)
    self =
      switch response.status {
      case 200..<300: .accepted(location: response.headers.first("location").flatMap(Self.location))
      case 404, 410: .gone(reason: reason)
      case 413: .tooLarge
      case 400, 401, 403:
        .refused(
          reason: reason,
          isClockWrong: PushFinding.clock(response, .webPush, now: now).map { !$0.isGood } ?? false
        )
      // 406 is what Windows' service says for it.
      case 429, 406: .tooMany(reason: reason, after: after)
      case 408: .retry(reason: reason, first: Self.firstRetry, after: after)
      case 500...: .retry(reason: reason, first: Self.firstRetry, after: after, isTrouble: true)
      // Redirections among them: they could lead anywhere.
      default: .rejected(reason: reason)
      }
  }

  init(_ error: TransportError) {
    switch error.code {
    case .cancelled: self = .abandoned
    // What cannot be asked today cannot be tomorrow.
    case .invalidRequest: self = .rejected(reason: "transport: \(error)")
    // Names are resolved anew each time.
    case .addressNotPublic: self = .retry(reason: "transport: \(error)", first: Self.firstRetry)
    // Not accepted for sure: soon again. Perhaps accepted: the topic hides a double.
    default:
      self = .retry(
        reason: "transport: \(error)",
        first: error.mayHaveBeenProcessed ? .seconds(10) : .seconds(1),
        isTrouble: error.isServerTrouble
      )
    }
  }

  /// The status, and what Apple's, Mozilla's or Windows' service gives as its reason.
  private static func reason(_ response: HTTPResponse) -> String {
    let status = "HTTP \(response.status)"
    let body = try? JSONParser.parse(response.body)
    let said =
      body?["reason"]?.string ?? body?["errno"]?.integer.map { "errno \($0)" }
      ?? response.headers.first("x-wns-error-description")
      ?? response.headers.first("x-wns-notificationstatus")
    guard let said else { return status }
    let text = said.unicodeScalars.prefix(longestReason).map { (0x20...0x7E).contains($0.value) ? String($0) : "?" }
    return text.isEmpty ? status : "\(status): \(text.joined())"
  }

  /// An id for the delivery log, if it can be one.
  private static func location(_ text: String) -> String? {
    text.utf8.count <= 500 && text.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? text : nil
  }
}
