import Cryptography
import Foundation
import Synchronization
import Testing
import UserIdentity

@testable import Authentication

private let secret = "0123456789abcdef0123456789abcdef"
private let user = "0d9bd7a8-5d3c-4a4e-9b0a-6f1c1f0a7b11"

@Suite struct TokenVerifierTests {
  @Test func `what one token's header says holds for no other's`() throws {
    let reader = TokenHeaderReader()
    func read(_ header: String) throws -> TokenHeader { try reader.read(Substring(Base64URL.encode(header.utf8)).utf8) }
    for _ in 0..<2 {
      #expect(try read(#"{"alg":"HS256"}"#).algorithm == "HS256")
      #expect(try read(#"{"alg":"RS256","kid":"a"}"#).keyID == "a")
      #expect(try read(#"{"alg":"RS256","kid":"b"}"#).keyID == "b")
      #expect(try read(#"{"alg":"RS256","crit":["b64"]}"#).isCritical)
      #expect(try !read(#"{"alg":"RS256","crit":null}"#).isCritical)
      // Of members with the same name the last counts (RFC 7515, section 4).
      #expect(try read(#"{"alg":"none","kid":"a","alg":"RS256","kid":"b"}"#).algorithm == "RS256")
      #expect(throws: AuthenticationError.malformed) { try read(#"{"alg":"RS256","kid":1}"#) }
      #expect(throws: AuthenticationError.malformed) { try read(#"{"alg":["RS256"]}"#) }
      #expect(throws: AuthenticationError.malformed) { try read("{") }
      #expect(throws: AuthenticationError.malformed) { try reader.read(Substring("e=").utf8) }
      #expect(throws: AuthenticationError.malformed) { try reader.read(Substring().utf8) }
    }
  }

  private func verifier(
    issuer: String? = nil,
    audience: String? = nil,
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws -> TokenVerifier {
    try TokenVerifier(
      configuration: TokenVerifierConfiguration(sharedSecret: secret, issuer: issuer, audience: audience),
      now: now
    )
  }

  private func token(_ json: String, header: String = #"{"alg":"HS256","typ":"JWT"}"#) -> String {
    TestToken.hs256(header: header, claims: json, secret: secret)
  }

  private func refusal(of token: String, by verifier: TokenVerifier) -> AuthenticationError? {
    do {
      _ = try verifier.verify(token)
      return nil
    } catch {
      return error
    }
  }

  @Test func `a minted token names its user and roles`() throws {
    let token = try TokenMinter.mint(secret: secret, subject: user, roles: [.service, .admin])
    let principal = try verifier().verify(token)
    #expect(principal.userID == UUID(uuidString: user))
    #expect(principal.subject == user)
    #expect(principal.roles == [.service, .admin])
    #expect(principal.validUntil != nil)
  }

  @Test(arguments: [
    #""sub":"\#(user)""#,
    #""nameid":"\#(user)""#,
    #""http://schemas.xmlsoap.org/ws/2005/05/identity/claims/nameidentifier":"\#(user)""#,
    #""sub":"anna","nameid":"\#(user)""#,
  ])
  func `the user id is read from every usual claim`(claim: String) throws {
    let principal = try verifier().verify(token("{\(claim),\"exp\":4102444800}"))
    #expect(principal.userID == UUID(uuidString: user))
    #expect(principal.roles == [.user])
  }

  @Test(
    arguments: [
      (#""role":"Admin""#, [.admin]),
      (#""roles":["service","user"]"#, [.service, .user]),
      (#""http://schemas.microsoft.com/ws/2008/06/identity/claims/role":"service""#, [.service]),
      (#""role":["Parent"]"#, [.user]),
    ] as [(String, Set<Role>)]
  )
  func `roles are read from every usual claim and default to user, and with it the subject is a person`(
    claim: String,
    roles: Set<Role>
  ) throws {
    let principal = try verifier().verify(token(#"{"sub":"backend",\#(claim),"exp":4102444800}"#))
    #expect(principal.roles == roles)
    #expect(principal.user == (roles.contains(.user) ? UserIdentifier("backend") : nil))
    #expect(principal.subject == "backend")
  }

  @Test(arguments: ["Élise", " trailing ", "shop/Käthe 7", "a%2Fb", "👩‍👩‍👧‍👦", String(repeating: "😀", count: 128)])
  func `any text is a user's subject, byte for byte`(_ subject: String) throws {
    let principal = try verifier().verify(token(#"{"sub":"\#(subject)","exp":4102444800}"#))
    let user = try #require(principal.user)
    #expect(user.isSpelled(subject) && principal.subject.utf8.elementsEqual(subject.utf8))
    #expect(principal.userID == UserIdentifier(subject)?.uuid)
  }

  @Test func `a subject of more than 128 characters is no user's`() throws {
    let subject = String(repeating: "a", count: 129)
    #expect(try verifier().verify(token(#"{"sub":"\#(subject)","exp":4102444800}"#)).user == nil)
  }

  @Test(arguments: [
    (#"{"sub":"a"}"#, AuthenticationError.missingExpiration),
    (#"{"sub":"a","exp":1000}"#, .expired),
    (#"{"sub":"a","exp":4102444800,"nbf":4102444000}"#, .notYetValid),
    (#"{"exp":4102444800}"#, .missingSubject),
    (#"{"sub":"a","exp":"soon"}"#, .malformed),
    (#"{"sub":"a","exp":null}"#, .missingExpiration),
    (#"{"sub":"a","exp":true}"#, .malformed),
    (#"{"sub":"a","exp":1e999}"#, .malformed),
    (#"{"sub":"a","exp":4102444800,"exp":1000}"#, .expired),
    (#"{"sub":["a",1],"exp":4102444800}"#, .malformed),
    (#"{"sub":"a","exp":4102444800,"iss":["b"]}"#, .malformed),
    (#"{"sub":"a","exp":4102444800,"role":{"admin":true}}"#, .malformed),
    (#"{"sub":"a","exp":4102444800,"deep":\#(String(repeating: "[", count: 8_000))"#, .malformed),
    (#"[]"#, .malformed),
  ])
  func `bad claims are refused by name`(claims: String, reason: AuthenticationError) throws {
    #expect(try refusal(of: token(claims), by: verifier()) == reason)
  }

  @Test func `clocks may differ by thirty seconds`() throws {
    let token = token(#"{"sub":"a","exp":1000,"nbf":900}"#)
    for (second, expected) in [
      (869, AuthenticationError.notYetValid), (871, nil), (1_000, nil), (1_029, nil), (1_030, .expired),
    ] {
      let verifier = try verifier(now: { Date(timeIntervalSince1970: Double(second)) })
      #expect(refusal(of: token, by: verifier) == expected, "at \(second)")
    }
  }

  @Test func `issuer and audience must match where configured`() throws {
    let verifier = try verifier(issuer: "https://id.example", audience: "belfry")
    let right = #"{"sub":"a","exp":4102444800,"iss":"https://id.example","aud":["x","belfry"]}"#
    #expect(refusal(of: token(right), by: verifier) == nil)
    let stranger = #"{"sub":"a","exp":4102444800,"iss":"https://evil.example","aud":"belfry"}"#
    #expect(refusal(of: token(stranger), by: verifier) == .wrongIssuer)
    let elsewhere = #"{"sub":"a","exp":4102444800,"iss":"https://id.example","aud":"other"}"#
    #expect(refusal(of: token(elsewhere), by: verifier) == .wrongAudience)
  }

  @Test(arguments: [
    #"{"alg":"none"}"#, #"{"alg":"None"}"#, #"{"alg":"RS256"}"#, #"{"alg":"ES256"}"#, #"{"alg":"HS512"}"#,
    #"{"alg":"hs256"}"#,
  ])
  func `only the configured algorithm is accepted`(header: String) throws {
    let signed = token(#"{"sub":"a","exp":4102444800}"#, header: header)
    #expect(try refusal(of: signed, by: verifier()) == .unsupportedAlgorithm)
    let unsigned = signed.prefix(through: signed.lastIndex(of: ".")!)
    #expect(try refusal(of: String(unsigned), by: verifier()) == .unsupportedAlgorithm)
  }

  @Test func `a critical extension is refused`() throws {
    let token = token(#"{"sub":"a","exp":4102444800}"#, header: #"{"alg":"HS256","crit":["x"],"x":1}"#)
    #expect(try refusal(of: token, by: verifier()) == .malformed)
  }

  @Test func `a changed token or another secret is a bad signature`() throws {
    let verifier = try verifier()
    let token = try TokenMinter.mint(secret: secret, subject: user)
    _ = try verifier.verify(token)
    let parts = token.split(separator: ".")
    let other = try TokenMinter.mint(secret: secret, subject: "somebody else").split(separator: ".")
    #expect(refusal(of: "\(parts[0]).\(other[1]).\(parts[2])", by: verifier) == .badSignature)
    #expect(refusal(of: "\(parts[0]).\(parts[1]).", by: verifier) == .badSignature)
    let foreign = try TokenMinter.mint(secret: String(secret.reversed()), subject: user)
    #expect(refusal(of: foreign, by: verifier) == .badSignature)
  }

  @Test(arguments: ["x", "a.b", "a.b.c.d", "..", "!.!.!", "e30.e30.e30", String(repeating: "a", count: 10_000)])
  func `what is no token is malformed`(text: String) throws {
    #expect(try refusal(of: text, by: verifier()) == .malformed)
  }

  @Test func `an empty token is missing`() throws {
    #expect(try refusal(of: "", by: verifier()) == .missing)
  }

  @Test func `a remembered token still expires`() throws {
    let seconds = Mutex(1_000.0)
    let verifier = try verifier(now: { Date(timeIntervalSince1970: seconds.withLock { $0 }) })
    let token = token(#"{"sub":"a","exp":1100}"#)
    for _ in 0..<3 { #expect(refusal(of: token, by: verifier) == nil) }
    seconds.withLock { $0 = 1_131 }
    #expect(refusal(of: token, by: verifier) == .expired)
  }

  /// The clock is turned back to before the token's time: whoever looks into it then refuses it.
  @Test func `a token that has passed is not looked into again while it is valid`() throws {
    let token = token(#"{"sub":"a","exp":2000,"nbf":1000}"#)
    for (remembered, expected) in [(0, AuthenticationError.notYetValid), (10, nil)] {
      let seconds = Mutex(1_000.0)
      let verifier = try TokenVerifier(
        configuration: TokenVerifierConfiguration(sharedSecret: secret, maximumCachedTokens: remembered),
        now: { Date(timeIntervalSince1970: seconds.withLock { $0 }) }
      )
      #expect(refusal(of: token, by: verifier) == nil)
      seconds.withLock { $0 = 500 }
      #expect(refusal(of: token, by: verifier) == expected, "\(remembered) remembered")
    }
  }

  @Test func `a short secret and no keys at all stop the start`() throws {
    #expect(throws: AuthenticationError.invalidConfiguration("the shared secret must have at least 32 bytes")) {
      _ = try TokenVerifier(configuration: TokenVerifierConfiguration(sharedSecret: "short"))
    }
    #expect(throws: AuthenticationError.self) {
      _ = try TokenVerifier(configuration: TokenVerifierConfiguration())
    }
    #expect(throws: AuthenticationError.self) {
      _ = try TokenMinter.mint(secret: "short", subject: "a")
    }
  }

  @Test(arguments: ["a\\u0000b", "a\\nb", "\\u007f", String(repeating: "é", count: 257)])
  func `a subject that can be neither stored nor logged makes the token malformed`(_ subject: String) throws {
    let token = token(#"{"sub":"\#(subject)","exp":4102444800}"#)
    #expect(refusal(of: token, by: try verifier()) == .malformed)
  }

  @Test func `the bearer scheme is read without regard to case`() throws {
    #expect(try BearerToken.parse("Bearer abc") == "abc")
    #expect(try BearerToken.parse("bearer  abc") == "abc")
    #expect(throws: AuthenticationError.missing) { try BearerToken.parse(nil) }
    for header in ["Basic abc", "Bearer", "Bearer ", "Bearer a b"] {
      #expect(throws: AuthenticationError.malformed) { try BearerToken.parse(header) }
    }
  }
}
