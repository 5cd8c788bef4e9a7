import Cryptography
import Foundation
import Synchronization

/// Says to push services who we are (RFC 8292): signed once for each origin and key, and used for hours.
final class VAPIDSignatures: Sendable {
  /// Push services take a day at most. Clocks may differ, and a push may wait.
  static let validity: TimeInterval = 12 * 3_600
  static let renewal: TimeInterval = 6 * 3_600
  /// Of origins and keys; of more, all are signed anew.
  static let maximumCount = 256

  private struct Signed {
    let value: String
    let date: Date
  }

  /// The one with which browsers subscribe, and the one before it.
  let keys: [VAPIDKey]
  private let subject: String
  private let signed = Mutex<[String: Signed]>([:])

  init(keys: [VAPIDKey], subject: String) {
    self.keys = keys
    self.subject = subject
  }

  /// Those with which a push to a subscription may be signed: its own, or, if it is not known with which it was made, any.
  ///
  /// - Parameter id: Of the subscription's key.
  func keys(of id: String?) -> [VAPIDKey] { id.map { id in keys.filter { $0.id == id } } ?? keys }

  /// The value of `Authorization`.
  func authorization(for origin: String, by key: VAPIDKey, at now: Date = .now) throws(CryptographyError) -> String {
    let name = "\(key.id) \(origin)"
    // A clock that was set back makes a new one, too.
    if let known = signed.withLock({ $0[name] }), (0..<Self.renewal).contains(now.timeIntervalSince(known.date)) {
      return known.value
    }
    let expiry = Int((now.timeIntervalSince1970 + Self.validity).rounded())
    let value = try key.authorization(for: origin, subject: subject, expiry: expiry)
    signed.withLock { signed in
      if signed.count >= Self.maximumCount { signed = [:] }
      signed[name] = Signed(value: value, date: now)
    }
    return value
  }
}
