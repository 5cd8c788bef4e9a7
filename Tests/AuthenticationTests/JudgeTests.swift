import Cryptography
import Foundation
import TestSupport
import Testing

@testable import Authentication

/// Tokens of PyPI's joserfc, ours as it reads them, and Wycheproof's.
@Suite struct JudgeTests {
  private static let script = "Tests/CryptographyTests/judge.py"
  private static let seed = "20261125"
  /// Making keys takes most of the time.
  private static let count = TestScope.cases(10, long: 40)

  private struct Made: Codable {
    var kind = "token"
    let token: String?
    let subject: String?
    /// Of HS256.
    var secret: String?
    /// A key set, as text, and the private key in PEM.
    var keys: String?
    var key: String?
    var algorithm: String?
    var keyID: String?
  }

  private func verifier(of made: Made) throws -> TokenVerifier {
    var configuration = TokenVerifierConfiguration(sharedSecret: made.secret, audience: "belfry")
    guard let keys = made.keys else { return try TokenVerifier(configuration: configuration) }
    let file = FileManager.default.temporaryDirectory.appending(path: "belfry-keys-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(keys.utf8).write(to: file)
    configuration.jwksFile = file.path
    return try TokenVerifier(configuration: configuration)
  }

  @Test func `tokens of others are accepted, and not when changed`() throws {
    let tokens = try Python.lines(of: Self.script, ["make", Self.seed, "\(7 * Self.count)"])
      .map { try JSONDecoder().decode(Made.self, from: $0) }.filter { $0.kind == "token" }
    #expect(tokens.count == Self.count)
    for made in tokens {
      let verifier = try verifier(of: made)
      let token = try #require(made.token)
      #expect(try verifier.verify(token).subject == made.subject)
      let parts = token.split(separator: ".")
      let claims = Base64URL.encode(#"{"sub":"another","exp":4102444800,"aud":"belfry"}"#.utf8)
      #expect(throws: AuthenticationError.badSignature) { try verifier.verify("\(parts[0]).\(claims).\(parts[2])") }
      let other = try TokenMinter.mint(
        secret: "0123456789abcdef0123456789abcdef",
        subject: "another",
        audience: "belfry"
      )
      #expect(throws: AuthenticationError.self) { try verifier.verify(other) }
    }
  }

  private struct Claims: Encodable {
    let sub: String
    var exp = 4_102_444_800
  }

  @Test func `our tokens are accepted by others`() throws {
    var lines: [Data] = []
    for number in 0..<Self.count {
      let subject = "user \(number)/é"
      let secret = "a secret of at least thirty-two bytes, number \(number)"
      var made = [
        Made(
          token: try TokenSigner(sharedSecret: secret).sign(Claims(sub: subject)),
          subject: subject,
          secret: secret,
          algorithm: "HS256"
        )
      ]
      for (algorithm, name, keyID) in [(SignatureAlgorithm.rsa, "RS256", "k1"), (.p256, "ES256", nil)] {
        let key = try PrivateKey(algorithm)
        let token = try TokenSigner(key: key, keyID: keyID).sign(Claims(sub: subject))
        made.append(Made(token: token, subject: subject, key: key.pem, algorithm: name, keyID: keyID))
      }
      lines += try made.map { try JSONEncoder().encode($0) }
    }
    let file = FileManager.default.temporaryDirectory.appending(path: "belfry-tokens-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(lines.joined(separator: [UInt8(ascii: "\n")])).write(to: file)
    let objections = try Python.lines(of: Self.script, ["check", file.path])
    #expect(objections.isEmpty, "\(objections.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n"))")
  }

  private struct Line: Decodable {
    struct Case: Decodable {
      let id: Int
      let comment: String
      let token: String
      let result: Wycheproof.Verdict
    }

    let key: [String: JWKValue]
    let cases: [Case]
  }

  /// A member of a JWK: all but `key_ops` are texts.
  private enum JWKValue: Codable {
    case text(String)
    case texts([String])

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      do { self = .text(try value.decode(String.self)) } catch { self = .texts(try value.decode([String].self)) }
    }

    func encode(to encoder: any Encoder) throws {
      var value = encoder.singleValueContainer()
      switch self {
      case .text(let text): try value.encode(text)
      case .texts(let texts): try value.encode(texts)
      }
    }

    var text: String? { if case .text(let text) = self { text } else { nil } }
  }

  @Test func `signatures that have broken others are refused`() throws {
    var seen: [Wycheproof.Verdict: Int] = [:]
    let headers = TokenHeaderReader()
    for line: Line in try Wycheproof.read("jws") {
      var keys = SigningKeys()
      do {
        if line.key["kty"]?.text == "oct" {
          let secret = try #require(line.key["k"]?.text.flatMap { Base64URL.decode($0.utf8) })
          keys.add(HMACSHA256(key: secret))
        } else {
          try keys.add(keySet: try JSONEncoder().encode(["keys": [line.key]]))
        }
      } catch is AuthenticationError {
        // The key itself is refused, and with it whatever it signs.
        #expect(line.cases.allSatisfy { $0.result == .invalid }, "\(line.key)")
        continue
      }
      for each in line.cases {
        seen[each.result, default: 0] += 1
        let payload = Result { () throws(AuthenticationError) in
          try TokenVerifier.payload(of: each.token, signedWith: keys, headers)
        }
        switch (each.result, payload) {
        case (.valid, .success), (.invalid, .failure): break
        case (let result, let payload): Issue.record("\(each.id) \(each.comment) is \(result): \(payload)")
        }
      }
    }
    #expect(seen == [.valid: 18, .invalid: 290])
  }
}
