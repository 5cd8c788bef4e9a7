import Authentication
import CryptoExtras
import Foundation
import JWTKit
import Synchronization
import Testing

private let claims = #"{"sub":"a","exp":4102444800}"#

/// An ES256 key pair with an id.
private struct TestKey {
  let id: String
  let key = ES256PrivateKey()

  var jwk: String {
    let parameters = key.publicKey.parameters!
    return """
      {"kty":"EC","crv":"P-256","use":"sig","alg":"ES256","kid":"\(id)","x":"\(url(parameters.x))","y":"\(url(parameters.y))"}
      """
  }

  func token(kid: String? = nil) async throws -> String {
    let algorithm = try await JWTKeyCollection().add(ecdsa: key).getKey()
    return try TestToken.signed(
      header: #"{"alg":"ES256","kid":"\#(kid ?? id)"}"#,
      claims: claims,
      with: algorithm
    )
  }

  private func url(_ base64: String) -> String {
    base64.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
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

  @Test func `several keys are told apart by id`() async throws {
    defer { unlink(path) }
    let (first, second, stranger) = (TestKey(id: "1"), TestKey(id: "2"), TestKey(id: "3"))
    try write(first.jwk, #"{"kty":"oct","k":"AAAA","kid":"unusable"}"#, second.jwk)
    let verifier = try await TokenVerifier(configuration: TokenVerifierConfiguration(jwksFile: path))
    #expect(try await verifier.verify(first.token()).subject == "a")
    #expect(try await verifier.verify(second.token()).subject == "a")
    await #expect(throws: AuthenticationError.unknownKey) { try await verifier.verify(stranger.token()) }
    await #expect(throws: AuthenticationError.badSignature) { try await verifier.verify(first.token(kid: "2")) }
  }

  @Test func `a public key is no HMAC secret`() async throws {
    defer { unlink(path) }
    let key = TestKey(id: "1")
    try write(key.jwk)
    let verifier = try await TokenVerifier(configuration: TokenVerifierConfiguration(jwksFile: path))
    let forged = try await TestToken.hs256(
      header: #"{"alg":"HS256","kid":"1"}"#,
      claims: claims,
      secret: key.key.publicKey.pemRepresentation
    )
    await #expect(throws: AuthenticationError.unsupportedAlgorithm) { try await verifier.verify(forged) }
  }

  @Test func `RSA keys sign RS256`() async throws {
    defer { unlink(path) }
    let secret = try _RSA.Signing.PrivateKey(keySize: .bits2048)
    let primitives = try secret.publicKey.getKeyPrimitives()
    let n = TestToken.base64URL(Array(primitives.modulus))
    let e = TestToken.base64URL(Array(primitives.publicExponent))
    let key = try Insecure.RSA.PrivateKey(pem: secret.pemRepresentation)
    try write(#"{"kty":"RSA","kid":"r","n":"\#(n)","e":"\#(e)"}"#)
    let algorithm = try await JWTKeyCollection().add(rsa: key, digestAlgorithm: .sha256).getKey()
    let verifier = try await TokenVerifier(configuration: TokenVerifierConfiguration(jwksFile: path))
    let token = try TestToken.signed(header: #"{"alg":"RS256","kid":"r"}"#, claims: claims, with: algorithm)
    #expect(try await verifier.verify(token).subject == "a")
  }

  @Test func `keys rotate without a restart, and a broken file changes nothing`() async throws {
    defer { unlink(path) }
    let (old, new) = (TestKey(id: "1"), TestKey(id: "2"))
    try write(old.jwk)
    let (seconds, failures) = (SharedValue(1_000.0), SharedValue(0))
    let verifier = try await TokenVerifier(
      configuration: TokenVerifierConfiguration(
        jwksFile: path,
        reloadFailed: { _ in failures.update { $0 += 1 } }
      ),
      now: { Date(timeIntervalSince1970: seconds.value) }
    )
    _ = try await verifier.verify(old.token())

    try Data("not JSON".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    seconds.update { $0 += 2 }
    _ = try await verifier.verify(old.token())
    #expect(failures.value == 1)

    try write(new.jwk)
    seconds.update { $0 += 2 }
    #expect(try await verifier.verify(new.token()).subject == "a")
    await #expect(throws: AuthenticationError.unknownKey) { try await verifier.verify(old.token()) }
  }

  @Test func `changed keys that cannot be read are tried again, and each reason is told once`() async throws {
    let (old, new) = (TestKey(id: "1"), TestKey(id: "2"))
    let folder = URL(fileURLWithPath: "\(path).d")
    defer {
      unlink(path)
      do { try FileManager.default.removeItem(at: folder) } catch { Issue.record(error) }
    }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try write(old.jwk)
    let (seconds, failures) = (SharedValue(1_000.0), SharedValue<[AuthenticationError]>([]))
    let verifier = try await TokenVerifier(
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
      #expect(try await verifier.verify(old.token()).subject == "a")
    }
    let reason = "the key set \(path) cannot be read: Is a directory"
    #expect(failures.value == [.invalidConfiguration(reason)])

    try FileManager.default.removeItem(atPath: path)
    try write(new.jwk)
    seconds.update { $0 += 1 }
    #expect(try await verifier.verify(new.token()).subject == "a")
    await #expect(throws: AuthenticationError.unknownKey) { try await verifier.verify(old.token()) }
    #expect(failures.value.count == 1)
  }

  @Test func `changed keys that are no key set are told once, and used no sooner than they change`() async throws {
    defer { unlink(path) }
    let key = TestKey(id: "1")
    try write(key.jwk)
    let (seconds, failures) = (SharedValue(1_000.0), SharedValue<[AuthenticationError]>([]))
    let verifier = try await TokenVerifier(
      configuration: TokenVerifierConfiguration(
        jwksFile: path,
        reloadFailed: { error in failures.update { $0.append(error) } }
      ),
      now: { Date(timeIntervalSince1970: seconds.value) }
    )
    try Data("not JSON".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    for _ in 0..<3 {
      seconds.update { $0 += 1 }
      #expect(try await verifier.verify(key.token()).subject == "a")
    }
    #expect(failures.value == [.invalidConfiguration("the key set is no JSON Web Key Set")])
  }

  @Test func `a token of a revoked key is refused a second after the link to the keys was turned`() async throws {
    let folder = URL(fileURLWithPath: "\(path).d")
    defer {
      do { try FileManager.default.removeItem(at: folder) } catch { Issue.record(error) }
    }
    let (revoked, kept) = (TestKey(id: "1"), TestKey(id: "2"))
    for (name, keys) in [("..1", [revoked.jwk, kept.jwk]), ("..2", [kept.jwk])] {
      let version = folder.appendingPathComponent(name)
      try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
      try Data(#"{"keys":[\#(keys.joined(separator: ","))]}"#.utf8)
        .write(to: version.appendingPathComponent("jwks.json"))
    }
    let data = folder.appendingPathComponent("..data").path
    try FileManager.default.createSymbolicLink(atPath: data, withDestinationPath: "..1")
    let seconds = SharedValue(1_000.0)
    let verifier = try await TokenVerifier(
      configuration: TokenVerifierConfiguration(jwksFile: "\(data)/jwks.json"),
      now: { Date(timeIntervalSince1970: seconds.value) }
    )
    let token = try await revoked.token()
    _ = try await verifier.verify(token)
    _ = try await verifier.verify(token)

    try FileManager.default.createSymbolicLink(atPath: "\(data).new", withDestinationPath: "..2")
    try #require(rename("\(data).new", data) == 0)
    seconds.update { $0 += 1 }
    await #expect(throws: AuthenticationError.unknownKey) { try await verifier.verify(token) }
    #expect(try await verifier.verify(kept.token()).subject == "a")
  }

  @Test func `a missing or useless key set stops the start`() async throws {
    defer { unlink(path) }
    await #expect(throws: AuthenticationError.self) {
      _ = try await TokenVerifier(configuration: TokenVerifierConfiguration(jwksFile: path))
    }
    try write(#"{"kty":"oct","k":"AAAA"}"#)
    await #expect(throws: AuthenticationError.invalidConfiguration("the key set has no RS256 or ES256 key")) {
      _ = try await TokenVerifier(configuration: TokenVerifierConfiguration(jwksFile: path))
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
