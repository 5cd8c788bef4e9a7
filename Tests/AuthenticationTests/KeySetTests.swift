import Authentication
import Cryptography
import Foundation
import Synchronization
import Testing

private let claims = #"{"sub":"a","exp":4102444800}"#

/// An ES256 key pair with an id.
private struct TestKey {
  let id: String
  let key: PrivateKey

  init(id: String) throws {
    self.id = id
    key = try PrivateKey(.p256)
  }

  var jwk: String {
    get throws {
      let point = try #require(key.publicKey.point)
      let (x, y) = (Base64URL.encode(point[1..<33]), Base64URL.encode(point[33...]))
      return #"{"kty":"EC","crv":"P-256","use":"sig","alg":"ES256","kid":"\#(id)","x":"\#(x)","y":"\#(y)"}"#
    }
  }

  func token(kid: String? = nil) throws -> String {
    try TestToken.signed(header: #"{"alg":"ES256","kid":"\#(kid ?? id)"}"#, claims: claims, with: key)
  }
}

@Suite struct KeySetTests {
  private let path = FileManager.default.temporaryDirectory.appendingPathComponent("jwks-\(UUID()).json").path

  private func write(_ keys: String...) throws {
    try Data(#"{"keys":[\#(keys.joined(separator: ","))]}"#.utf8).write(
      to: URL(fileURLWithPath: path),
      options: .atomic
    )
  }

  @Test func `several keys are told apart by id`() throws {
    defer { unlink(path) }
    let (first, second, stranger) = (try TestKey(id: "1"), try TestKey(id: "2"), try TestKey(id: "3"))
    try write(first.jwk, #"{"kty":"oct","k":"AAAA","kid":"unusable"}"#, second.jwk)
    let verifier = try TokenVerifier(configuration: TokenVerifierConfiguration(jwksFile: path))
    #expect(try verifier.verify(first.token()).subject == "a")
    #expect(try verifier.verify(second.token()).subject == "a")
    #expect(throws: AuthenticationError.unknownKey) { try verifier.verify(stranger.token()) }
    #expect(throws: AuthenticationError.badSignature) { try verifier.verify(first.token(kid: "2")) }
  }

  @Test func `a public key is no HMAC secret`() throws {
    defer { unlink(path) }
    let key = try TestKey(id: "1")
    try write(key.jwk)
    let verifier = try TokenVerifier(configuration: TokenVerifierConfiguration(jwksFile: path))
    let forged = TestToken.hs256(
      header: #"{"alg":"HS256","kid":"1"}"#,
      claims: claims,
      secret: key.key.publicKey.pem
    )
    #expect(throws: AuthenticationError.unsupportedAlgorithm) { try verifier.verify(forged) }
  }

  /// RFC 7515, appendices A.2 and A.3: their claims name no subject, which is reported of right signatures only.
  @Test(arguments: [
    (
      """
      {"kty":"RSA","n":"ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yR\
      T-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2C\
      apHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyu\
      XpoQ","e":"AQAB"}
      """,
      """
      eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.cC\
      4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQj\
      bKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqt\
      FZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw
      """
    ),
    (
      """
      {"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKI\
      WI5a0"}
      """,
      """
      eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.Dt\
      EhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q
      """
    ),
  ])
  func `the tokens of RFC 7515 are signed as they say`(jwk: String, token: String) throws {
    defer { unlink(path) }
    try write(jwk)
    let verifier = try TokenVerifier(
      configuration: TokenVerifierConfiguration(jwksFile: path),
      now: { Date(timeIntervalSince1970: 1_300_819_000) }
    )
    #expect(throws: AuthenticationError.missingSubject) { try verifier.verify(token) }
    let other = token.replacing("eyJpc3MiOiJqb2Ui", with: "eyJpc3MiOiJKb2Ui")
    #expect(throws: AuthenticationError.badSignature) { try verifier.verify(other) }
  }

  @Test func `a key that cannot be used is named`() throws {
    defer { unlink(path) }
    let good = try TestKey(id: "1")
    for bad in [
      #"{"kty":"RSA","kid":"weak","n":"\#(Base64URL.encode([UInt8](repeating: 0xFF, count: 256)))","e":"AQ"}"#,
      #"{"kty":"RSA","kid":"weak","n":"\#(Base64URL.encode([UInt8](repeating: 0xFF, count: 128)))","e":"AQAB"}"#,
      #"{"kty":"RSA","kid":"weak","e":"AQAB"}"#,
      #"{"kty":"EC","kid":"weak","crv":"P-256","x":"AQ","y":"AQ"}"#,
    ] {
      try write(good.jwk, bad)
      let error = #expect(throws: AuthenticationError.self) {
        try TokenVerifier(configuration: TokenVerifierConfiguration(jwksFile: path))
      }
      #expect(error.map { "\($0)".contains("the key set's key 'weak' cannot be used: ") } == true, "\(bad)")
    }
  }

  @Test func `keys rotate without a restart, and a broken file changes nothing`() throws {
    defer { unlink(path) }
    let (old, new) = (try TestKey(id: "1"), try TestKey(id: "2"))
    try write(old.jwk)
    let (seconds, failures) = (SharedValue(1_000.0), SharedValue(0))
    let verifier = try TokenVerifier(
      configuration: TokenVerifierConfiguration(
        jwksFile: path,
        reloadFailed: { _ in failures.update { $0 += 1 } }
      ),
      now: { Date(timeIntervalSince1970: seconds.value) }
    )
    _ = try verifier.verify(old.token())

    try Data("not JSON".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    seconds.update { $0 += 2 }
    _ = try verifier.verify(old.token())
    #expect(failures.value == 1)

    try write(new.jwk)
    seconds.update { $0 += 2 }
    #expect(try verifier.verify(new.token()).subject == "a")
    #expect(throws: AuthenticationError.unknownKey) { try verifier.verify(old.token()) }
  }

  @Test func `changed keys that cannot be read are tried again, and each reason is reported once`() throws {
    let (old, new) = (try TestKey(id: "1"), try TestKey(id: "2"))
    let folder = URL(fileURLWithPath: "\(path).d")
    defer {
      unlink(path)
      do { try FileManager.default.removeItem(at: folder) } catch { Issue.record(error) }
    }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try write(old.jwk)
    let (seconds, failures) = (SharedValue(1_000.0), SharedValue<[AuthenticationError]>([]))
    let verifier = try TokenVerifier(
      configuration: TokenVerifierConfiguration(
        jwksFile: path,
        reloadFailed: { error in failures.update { $0.append(error) } }
      ),
      now: { Date(timeIntervalSince1970: seconds.value) }
    )
    // The link leads to something that is there, but is no file: as good as one that may not be read yet.
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder.path)
    for _ in 0..<3 {
      seconds.update { $0 += 1 }
      #expect(try verifier.verify(old.token()).subject == "a")
    }
    let reason = "the key set \(path) cannot be read: Is a directory"
    #expect(failures.value == [.invalidConfiguration(reason)])

    try FileManager.default.removeItem(atPath: path)
    try write(new.jwk)
    seconds.update { $0 += 1 }
    #expect(try verifier.verify(new.token()).subject == "a")
    #expect(throws: AuthenticationError.unknownKey) { try verifier.verify(old.token()) }
    #expect(failures.value.count == 1)
  }

  @Test func `changed keys that are no key set are reported once, and used no sooner than they change`() throws {
    defer { unlink(path) }
    let key = try TestKey(id: "1")
    try write(key.jwk)
    let (seconds, failures) = (SharedValue(1_000.0), SharedValue<[AuthenticationError]>([]))
    let verifier = try TokenVerifier(
      configuration: TokenVerifierConfiguration(
        jwksFile: path,
        reloadFailed: { error in failures.update { $0.append(error) } }
      ),
      now: { Date(timeIntervalSince1970: seconds.value) }
    )
    try Data("not JSON".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    for _ in 0..<3 {
      seconds.update { $0 += 1 }
      #expect(try verifier.verify(key.token()).subject == "a")
    }
    #expect(failures.value == [.invalidConfiguration("the key set is no JSON Web Key Set")])
  }

  @Test func `a token of a revoked key is refused a second after the link to the keys was turned`() throws {
    let folder = URL(fileURLWithPath: "\(path).d")
    defer {
      do { try FileManager.default.removeItem(at: folder) } catch { Issue.record(error) }
    }
    let (revoked, kept) = (try TestKey(id: "1"), try TestKey(id: "2"))
    for (name, keys) in try [("..1", [revoked.jwk, kept.jwk]), ("..2", [kept.jwk])] {
      let version = folder.appendingPathComponent(name)
      try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
      try Data(#"{"keys":[\#(keys.joined(separator: ","))]}"#.utf8)
        .write(to: version.appendingPathComponent("jwks.json"))
    }
    let data = folder.appendingPathComponent("..data").path
    try FileManager.default.createSymbolicLink(atPath: data, withDestinationPath: "..1")
    let seconds = SharedValue(1_000.0)
    let verifier = try TokenVerifier(
      configuration: TokenVerifierConfiguration(jwksFile: "\(data)/jwks.json"),
      now: { Date(timeIntervalSince1970: seconds.value) }
    )
    let token = try revoked.token()
    _ = try verifier.verify(token)
    _ = try verifier.verify(token)

    try FileManager.default.createSymbolicLink(atPath: "\(data).new", withDestinationPath: "..2")
    try #require(rename("\(data).new", data) == 0)
    seconds.update { $0 += 1 }
    #expect(throws: AuthenticationError.unknownKey) { try verifier.verify(token) }
    #expect(try verifier.verify(kept.token()).subject == "a")
  }

  @Test func `a missing or useless key set stops the start`() throws {
    defer { unlink(path) }
    #expect(throws: AuthenticationError.self) {
      _ = try TokenVerifier(configuration: TokenVerifierConfiguration(jwksFile: path))
    }
    try write(#"{"kty":"oct","k":"AAAA"}"#)
    #expect(throws: AuthenticationError.invalidConfiguration("the key set has no RS256 or ES256 key")) {
      _ = try TokenVerifier(configuration: TokenVerifierConfiguration(jwksFile: path))
    }
  }
}

/// A value that a test changes under the verifier's eyes.
private final class SharedValue<Value: Sendable>: Sendable {
  private let storage: Mutex<Value>

  init(_ value: Value) { storage = Mutex(value) }

  var value: Value { storage.withLock { $0 } }

  func update(_ body: (inout Value) -> Void) { storage.withLock { body(&$0) } }
}
