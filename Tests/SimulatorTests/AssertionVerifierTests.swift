import Cryptography
import Foundation
import Testing

@testable import Simulator

struct AssertionVerifierTests {
  private static let key = Result { try PrivateKey(.rsa) }
  private static let audience = "https://localhost:1/token"
  private static let now = 1_800_000_000

  private func verifier() throws -> AssertionVerifier {
    AssertionVerifier(key: try Self.key.get().publicKey, keyID: "k1", clientEmail: "me@x")
  }

  private func assertion(
    header: String = #"{"alg":"RS256","typ":"JWT","kid":"k1"}"#,
    issuer: String = "me@x",
    audience: String = Self.audience,
    scope: String = "https://www.googleapis.com/auth/firebase.messaging",
    issued: Int = Self.now,
    lifetime: Int = 3_600
  ) throws -> String {
    let claims =
      #"{"iss":"\#(issuer)","aud":"\#(audience)","scope":"\#(scope)","iat":\#(issued),"exp":\#(issued + lifetime)}"#
    let signed = "\(Base64URL.encode(header.utf8)).\(Base64URL.encode(claims.utf8))"
    return "\(signed).\(Base64URL.encode(try Self.key.get().signature(of: Array(signed.utf8))))"
  }

  private func failure(_ assertion: String) throws -> OAuthFailure? {
    do {
      try verifier().verify(assertion: assertion, audience: Self.audience, now: Double(Self.now))
      return nil
    } catch let error as OAuthFailure { return error }
  }

  @Test func `a well-formed assertion is accepted`() throws {
    #expect(try failure(assertion()) == nil)
    #expect(try failure(assertion(scope: "a https://www.googleapis.com/auth/cloud-platform")) == nil)
    #expect(try failure(assertion(issued: Self.now - 3_500)) == nil)
    // So signs Google's own library, whatever `token_uri` says.
    #expect(try failure(assertion(audience: "https://oauth2.googleapis.com/token")) == nil)
  }

  @Test func `wrong claims are refused in Google's words`() throws {
    #expect(try failure(assertion(issuer: "you@x"))?.description == "Invalid grant: account not found")
    #expect(try failure(assertion(audience: "https://x"))?.error == "invalid_grant")
    #expect(try failure(assertion(scope: "x"))?.error == "invalid_scope")
    #expect(try failure(assertion(lifetime: 3_601))?.error == "invalid_grant")
    #expect(try failure(assertion(issued: Self.now - 4_000))?.error == "invalid_grant")
    #expect(try failure(assertion(issued: Self.now + 400))?.error == "invalid_grant")
  }

  @Test func `a broken or foreign signature is refused`() throws {
    let good = try assertion()
    let parts = good.split(separator: ".")
    let claims = try assertion(lifetime: 10).split(separator: ".")[1]
    #expect(try failure("\(parts[0]).\(claims).\(parts[2])")?.description == "Invalid JWT Signature.")
    #expect(try failure("\(parts[0]).\(parts[1]).")?.description == "Invalid JWT Signature.")
    #expect(try failure(assertion(header: #"{"alg":"RS256","kid":"k2"}"#))?.description == "Invalid JWT Signature.")
    #expect(try failure(assertion(header: #"{"alg":"none"}"#))?.error == "invalid_grant")
    #expect(try failure("a.b")?.error == "invalid_grant")
  }

  @Test func `the form names the grant type and the assertion`() throws {
    let verifier = try verifier()
    let form = { (text: String) throws -> OAuthFailure? in
      do {
        try verifier.verify(form: Array(text.utf8), audience: Self.audience, now: Double(Self.now))
        return nil
      } catch let error as OAuthFailure { return error }
    }
    let grant = "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer"
    #expect(try form("grant_type=\(grant)&assertion=\(assertion())") == nil)
    #expect(try form("grant_type=password")?.error == "unsupported_grant_type")
    #expect(try form("assertion=x")?.error == "invalid_request")
    #expect(try form("grant_type=\(grant)")?.error == "invalid_request")
  }

  @Test func `form fields are decoded`() {
    let fields = FormFields(Array("a=1+2%26&b&c=%zz&d=%C3%A9&a=second".utf8))
    #expect(fields["a"] == "1 2&")
    #expect(fields["b"] == "")
    #expect(fields["c"] == nil)
    #expect(fields["d"] == "é")
  }

  @Test func `access tokens expire and can be revoked`() {
    let tokens = AccessTokens(lifetime: .seconds(60))
    let token = tokens.issue()
    #expect(tokens.isValid(token))
    #expect(!tokens.isValid("other"))
    tokens.revokeAll()
    #expect(!tokens.isValid(token))
    let stale = AccessTokens(lifetime: .zero)
    #expect(!stale.isValid(stale.issue()))
  }
}
