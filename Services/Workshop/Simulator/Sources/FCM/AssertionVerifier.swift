import Cryptography
import Foundation
import BelfryJSON

/// Verifies the signed assertion with which a service account asks for an access token (RFC 7523).
///
/// Source: https://developers.google.com/identity/protocols/oauth2/service-account#httprest
struct AssertionVerifier: Sendable {
  static let grantType = "urn:ietf:params:oauth:grant-type:jwt-bearer"
  static let acceptedScopes: Set<Substring> = [
    "https://www.googleapis.com/auth/firebase.messaging", "https://www.googleapis.com/auth/cloud-platform",
  ]
  /// What Google's own libraries sign for, whatever `token_uri` the service account's file names.
  static let googleAudience = "https://oauth2.googleapis.com/token"
  /// Seconds by which the client's clock may be off.
  static let clockSkew = 300.0

  let key: PublicKey
  let keyID: String
  let clientEmail: String

  /// - Parameters:
  ///   - form: Body of the request, `application/x-www-form-urlencoded`.
  ///   - audience: The token endpoint's own URL; ``googleAudience`` is as good.
  ///   - now: Seconds since 1970.
  func verify(form: [UInt8], audience: String, now: Double) throws(OAuthFailure) {
    let fields = FormFields(form)
    guard let grantType = fields["grant_type"] else {
      throw .invalidRequest("Required parameter is missing: grant_type")
    }
    guard grantType == Self.grantType else {
      throw OAuthFailure(error: "unsupported_grant_type", description: "Invalid grant_type: \(grantType)")
    }
    guard let assertion = fields["assertion"] else {
      throw .invalidRequest("Required parameter is missing: assertion")
    }
    try verify(assertion: assertion, audience: audience, now: now)
  }

  func verify(assertion: String, audience: String, now: Double) throws(OAuthFailure) {
    let parts = assertion.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let header = json(parts[0]), let claims = json(parts[1]),
      let signature = Base64URL.decode(parts[2].utf8)
    else { throw .invalidGrant("Invalid JWT: a header, claims and a signature in base64url are expected.") }
    guard header["alg"]?.string == "RS256" else { throw .invalidGrant("Invalid JWT: the algorithm must be RS256.") }
    if let keyID = header["kid"]?.string, keyID != self.keyID { throw .invalidGrant("Invalid JWT Signature.") }
    guard claims["iss"]?.string == clientEmail else { throw .invalidGrant("Invalid grant: account not found") }
    guard key.isValid([UInt8](signature), of: Array("\(parts[0]).\(parts[1])".utf8)) else {
      throw .invalidGrant("Invalid JWT Signature.")
    }
    try check(claims, audience: audience, now: now)
  }

  private func check(_ claims: JSONValue, audience: String, now: Double) throws(OAuthFailure) {
    guard let wanted = claims["aud"]?.string, wanted == audience || wanted == Self.googleAudience else {
      throw .invalidGrant("Invalid JWT: Failed audience check. The right audience is \(audience)")
    }
    guard let issued = claims["iat"]?.double, let expires = claims["exp"]?.double, expires > issued,
      expires <= issued + 3_600, issued <= now + Self.clockSkew, expires > now - Self.clockSkew
    else {
      throw .invalidGrant(
        "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp"
          + " values in the JWT claim."
      )
    }
    let scopes = (claims["scope"]?.string ?? "").split(separator: " ")
    guard scopes.contains(where: Self.acceptedScopes.contains) else {
      throw OAuthFailure(
        error: "invalid_scope",
        description: "Invalid OAuth scope or ID token audience provided."
      )
    }
  }

  private func json(_ part: Substring) -> JSONValue? {
    guard let data = Base64URL.decode(part.utf8) else { return nil }
    do { return try JSONParser.parse([UInt8](data)) } catch { return nil }
  }
}
