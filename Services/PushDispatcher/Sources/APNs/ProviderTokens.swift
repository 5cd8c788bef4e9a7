import Authentication
import Cryptography
import Foundation
import Synchronization

/// The token with which a pool says who it is: signed once for all connections, renewed after 50 minutes, or when the clock was set, and
/// never twice in 20.
///
/// APNs takes none that is older than an hour, and no new ones faster than that.
final class ProviderTokens: Sendable {
  static let lifetime = Duration.seconds(50 * 60)
  static let shortestLifetime = Duration.seconds(20 * 60)
  /// If the clock was set by more than this, the token says a wrong time.
  static let largestDifference: TimeInterval = 60

  /// A moment on the clock that APNs shares, and on the one that nobody sets.
  struct Moment: Sendable {
    var wall: Date
    var steady: ContinuousClock.Instant

    static var now: Moment { Moment(wall: .now, steady: .now) }

    func advanced(by duration: Duration) -> Moment {
      Moment(wall: wall + duration / .seconds(1), steady: steady + duration)
    }
  }

  private struct Token {
    let value: String
    let signed: Moment

    /// Whether the clock was set since it was signed.
    func isOfAnotherClock(_ now: Moment) -> Bool {
      abs(now.wall.timeIntervalSince(signed.wall) - (now.steady - signed.steady) / .seconds(1)) > largestDifference
    }
  }

  private struct Claims: Encodable {
    let iss: String
    let iat: Int
  }

  private let signer: TokenSigner
  private let teamID: String
  private let token = Mutex<Token?>(nil)

  init(key: PrivateKey, keyID: String, teamID: String) {
    signer = TokenSigner(key: key, keyID: keyID)
    self.teamID = teamID
  }

  /// The token of the moment.
  func current(at now: Moment = .now) throws -> String {
    try token.withLock { token in
      if let token {
        let age = now.steady - token.signed.steady
        if age < Self.shortestLifetime || age < Self.lifetime && !token.isOfAnotherClock(now) { return token.value }
      }
      return try sign(&token, at: now)
    }
  }

  /// Renews a token that APNs calls expired, unless another has it by now.
  ///
  /// - Returns: Whether there is another one; not if this one is too young to be renewed: then a clock is wrong.
  func renew(_ refused: String, at now: Moment = .now) throws -> Bool {
    try token.withLock { token in
      guard let current = token, current.value == refused else { return true }
      guard now.steady - current.signed.steady >= Self.shortestLifetime else { return false }
      _ = try sign(&token, at: now)
      return true
    }
  }

  private func sign(_ token: inout Token?, at now: Moment) throws -> String {
    let value = try signer.sign(Claims(iss: teamID, iat: Int(now.wall.timeIntervalSince1970)))
    token = Token(value: value, signed: now)
    return value
  }
}
