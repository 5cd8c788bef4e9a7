public import Foundation

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
  ) throws(AuthenticationError) -> String {
    let signer = try TokenSigner(sharedSecret: secret)
    let claims = MintedClaims(
      sub: subject,
      roles: roles.map(\.rawValue).sorted(),
      iat: Int(now.timeIntervalSince1970),
      exp: Int(now.addingTimeInterval(lifetime / .seconds(1)).timeIntervalSince1970),
      iss: issuer,
      aud: audience
    )
    do {
      return try signer.sign(claims)
    } catch {
      throw .invalidConfiguration("the token cannot be signed")
    }
  }
}

private struct MintedClaims: Encodable {
  let sub: String
  let roles: [String]
  let iat: Int
  let exp: Int
  let iss: String?
  let aud: String?
}
