public import Foundation
import JWTKit

/// Mints HS256 tokens for development and tests; in production an identity provider does.
public enum TokenMinter {
  /// A signed token for the subject, valid from now for the lifetime.
  ///
  /// - Throws: ``AuthenticationError/invalidConfiguration(_:)`` when the secret has fewer than 32 bytes.
  public static func mint(
    secret: String,
    subject: String,
    roles: Set<Role> = [.user],
    lifetime: Duration = .seconds(3_600),
    issuer: String? = nil,
    audience: String? = nil,
    now: Date = Date()
  ) async throws(AuthenticationError) -> String {
    guard secret.utf8.count >= 32 else {
      throw .invalidConfiguration("the shared secret must have at least 32 bytes")
    }
    let payload = MintedClaims(
      sub: subject,
      roles: roles.map(\.rawValue).sorted(),
      iat: Int(now.timeIntervalSince1970),
      exp: Int(now.addingTimeInterval(lifetime / .seconds(1)).timeIntervalSince1970),
      iss: issuer,
      aud: audience
    )
    do {
      return try await JWTKeyCollection()
        .add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256).sign(payload)
    } catch {
      throw .invalidConfiguration("the token cannot be signed")
    }
  }
}

private struct MintedClaims: JWTPayload {
  let sub: String
  let roles: [String]
  let iat: Int
  let exp: Int
  let iss: String?
  let aud: String?

  /// Minted, never verified here.
  func verify(using algorithm: some JWTAlgorithm) {}
}
