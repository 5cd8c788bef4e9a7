import Foundation
import Synchronization

/// The OAuth access tokens that are good at the moment.
final class AccessTokens: Sendable {
  /// Beyond this the oldest token is forgotten.
  static let maximumCount = 10_000

  let lifetime: Duration
  private let expiries = Mutex<[String: ContinuousClock.Instant]>([:])

  init(lifetime: Duration) {
    self.lifetime = lifetime
  }

  /// Makes a new token.
  func issue() -> String {
    let random = (0..<4).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
    let token = "ya29.simulator-\(random)"
    let now = ContinuousClock.now
    expiries.withLock { expiries in
      if expiries.count >= Self.maximumCount {
        expiries = expiries.filter { $0.value > now }
        if expiries.count >= Self.maximumCount, let oldest = expiries.min(by: { $0.value < $1.value }) {
          expiries[oldest.key] = nil
        }
      }
      expiries[token] = now + lifetime
    }
    return token
  }

  func isValid(_ token: String) -> Bool {
    guard let expiry = expiries.withLock({ $0[token] }) else { return false }
    return expiry > .now
  }

  /// Makes every token worthless, as if they had expired.
  func revokeAll() {
    expiries.withLock { $0 = [:] }
  }
}
