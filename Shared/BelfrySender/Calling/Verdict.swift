import Foundation

/// What follows from an answer that is not what was asked for, decided without sending anything.
enum Verdict: Equatable {
  /// The credential was refused: once more with a new one.
  case renewCredential
  /// Another attempt may succeed.
  ///
  /// - Parameter isUncertain: Whether the gateway may have done it all the same.
  case again(isUncertain: Bool)
  /// Every attempt would be answered like this.
  case final

  /// - Parameter canRenew: Whether the credential was not renewed in this call so far.
  init(_ response: TransportResponse, canRenew: Bool) {
    switch response.status {
    case 401: self = canRenew ? .renewCredential : .final
    // These say that nothing was done: a request that did not come whole, or was sent away.
    case 408, 425, 429: self = .again(isUncertain: false)
    case 500...599: self = .again(isUncertain: true)
    default: self = .final
    }
  }

  /// Longer than anybody waits; keeps sums from overflowing.
  private static let longest: Int64 = 31 * 24 * 3_600

  /// `Retry-After` (RFC 9110, 10.2.3): seconds, or a date, which is compared with the answer's own `Date`, so that our clock does not matter.
  static func retryAfter(_ response: TransportResponse) -> Duration? {
    guard let text = response.headers["retry-after"]?.trimmingCharacters(in: .whitespaces) else { return nil }
    if let seconds = Int64(text) { return .seconds(min(max(seconds, 0), longest)) }
    guard let then = httpDate(text), let now = response.headers["date"].flatMap(httpDate) else { return nil }
    return .seconds(min(max(then.timeIntervalSince(now), 0), Double(longest)))
  }

  /// IMF-fixdate, which is what servers send: `Sun, 06 Nov 1994 08:49:37 GMT`.
  private static func httpDate(_ text: String) -> Date? {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(secondsFromGMT: 0)
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return format.date(from: text)
  }
}
