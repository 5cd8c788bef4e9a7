import Foundation
import NotificationModel
import Transport

/// What a check of a provider found: one line for the operator.
public struct PushFinding: Sendable, Equatable {
  let carrier: DevicePlatform.Carrier
  /// The provider, as `BELFRY_PUSH_PROVIDERS` calls it.
  public var provider: String { carrier.rawValue }
  public let isGood: Bool
  /// Never holds a secret.
  public let text: String

  static func good(_ carrier: DevicePlatform.Carrier, _ text: String) -> PushFinding {
    PushFinding(carrier: carrier, isGood: true, text: text)
  }

  static func bad(_ carrier: DevicePlatform.Carrier, _ text: String) -> PushFinding {
    PushFinding(carrier: carrier, isGood: false, text: text)
  }
}

extension PushFinding {
  /// Providers refuse signatures that are of another time; a minute is what all of them forgive.
  static let largestDifference: TimeInterval = 60

  /// Compares the machine's clock with that of the server that answered; nil if the answer has no date.
  static func clock(_ response: HTTPResponse, _ carrier: DevicePlatform.Carrier, now: Date) -> PushFinding? {
    guard let text = response.headers.first("date"), let date = date(text) else { return nil }
    let ahead = now.timeIntervalSince(date)
    // The answer's date has no parts of a second, and the answer was on its way.
    guard abs(ahead) > largestDifference else {
      return .good(carrier, "this machine's clock agrees with the provider's")
    }
    let seconds = Int(min(abs(ahead), 1e9).rounded())
    return .bad(
      carrier,
      "this machine's clock is \(seconds) s \(ahead > 0 ? "ahead of" : "behind") the provider's: set it by NTP"
    )
  }

  /// An HTTP date (RFC 9110, section 5.6.7).
  private static func date(_ text: String) -> Date? {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "GMT")
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
    return formatter.date(from: text)
  }
}
