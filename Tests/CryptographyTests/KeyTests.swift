import Cryptography
import Foundation
import TestSupport
import Testing

/// Keys that are none, and what keys do not show.
@Suite struct KeyTests {
  @Test func `a key of another kind or size is refused`() throws {
    let (rsa, p256) = (try PrivateKey(.rsa), try PrivateKey(.p256))
    #expect(throws: CryptographyError.self) { try PrivateKey(pem: rsa.pem, .p256) }
    #expect(throws: CryptographyError.self) { try PrivateKey(pem: p256.pem, .rsa) }
    #expect(throws: CryptographyError.self) { try PublicKey(pem: rsa.publicKey.pem, .p256) }
    #expect(throws: CryptographyError.self) {
      try PublicKey(rsaModulus: [UInt8](repeating: 0xFF, count: 128), exponent: [1, 0, 1])
    }
    #expect(throws: CryptographyError.self) { try PublicKey(rsaModulus: [], exponent: []) }
    #expect(throws: CryptographyError.self) { try PrivateKey(p256: [UInt8](repeating: 0, count: 32)) }
    #expect(throws: CryptographyError.self) { try PrivateKey(p256: [UInt8](repeating: 0xFF, count: 32)) }
    #expect(throws: CryptographyError.self) { try PrivateKey(p256: [1]) }
    #expect(throws: CryptographyError.self) { try AESGCM(key: [UInt8](repeating: 0, count: 24)) }
  }

  /// With an exponent of 1 a signature is the padded message, which anybody can write.
  @Test(arguments: [[], [0], [1], [2], [1, 0, 0], [2, 0, 0, 0, 1]] as [[UInt8]])
  func `an RSA key whose signatures would prove nothing is refused`(_ exponent: [UInt8]) throws {
    let modulus = [UInt8](repeating: 0xFF, count: 256)
    #expect(throws: CryptographyError.self) { try PublicKey(rsaModulus: modulus, exponent: exponent) }
    #expect(throws: Never.self) { try PublicKey(rsaModulus: modulus, exponent: [3]) }
    #expect(throws: CryptographyError.self) { try PublicKey(rsaModulus: modulus.dropLast() + [0xFE], exponent: [3]) }
  }

  @Test(arguments: [SignatureAlgorithm.rsa, .p256])
  func `one key tells right signatures from wrong ones to any number of threads`(_ algorithm: SignatureAlgorithm)
    async throws
  {
    let (key, message) = (try PrivateKey(algorithm), Array("a message".utf8))
    let signature = try key.signature(of: message)
    await withTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          (0..<50).count { number in
            var (changed, said) = (signature, message)
            if number % 3 == 1 { changed[number] ^= 1 }
            if number % 3 == 2 { said.append(0) }
            return key.publicKey.isValid(changed, of: said) == (number % 3 == 0)
          }
        }
      }
      for await right in group { #expect(right == 50) }
    }
  }

  @Test func `a point off the curve is refused`() throws {
    var point = try #require(try PrivateKey(.p256).publicKey.point)
    #expect(try PublicKey(p256: point).point == point)
    point[64] ^= 1
    #expect(throws: CryptographyError.self) { try PublicKey(p256: point) }
    #expect(throws: CryptographyError.self) { try PublicKey(p256: Array(point.dropLast())) }
  }

  /// One with a passphrase would otherwise ask for it on the terminal.
  @Test(arguments: ["", "x", "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n", Self.encrypted])
  func `text that is no key is refused`(_ text: String) {
    #expect(throws: CryptographyError.self) { try PrivateKey(pem: text, .p256) }
    #expect(throws: CryptographyError.self) { try PrivateKey(pem: text, .rsa) }
    #expect(throws: CryptographyError.self) { try Certificate(pem: text) }
  }

  private static let encrypted = """
    -----BEGIN ENCRYPTED PRIVATE KEY-----
    MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgEIl/MimeLdQICA+gw
    DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEBhbAFUv6wYnbYM/Ckyl3IYEgZCz
    DnqLjO2vaF7rPmF7L/D39EoZo7d8IuLUiJG+GOHAVXhKvuy5TJsepjAZYQCrr2Lq
    EHRyh9mee9OffIOB9QR26IKpUHoZ5zUTTN6fS6D04A5snohfBqy3UFpA+eYoNu9I
    Xi7AVimfnzPf+ozdbgAkZDv9CWgSAVvO3E0r0hIjxgXa5krjRsP3rI8ENVLVHa8=
    -----END ENCRYPTED PRIVATE KEY-----
    """

  @Test func `a secret key is in no description`() throws {
    let secret = [UInt8](repeating: 173, count: 32)
    let keys: [Any] = [try PrivateKey(p256: secret), try AESGCM(key: secret), HMACSHA256(key: secret)]
    for key in keys {
      var dumped = ""
      dump(key, to: &dumped)
      #expect("\(key) \(String(reflecting: key)) \(dumped)".count < 200)
    }
  }

  @Test func `a certificate says for whom it is, until when, and by whom`() throws {
    let (key, other) = (try PrivateKey(.p256), try PrivateKey(.p256))
    let authority = try Certificate.authority(named: "An authority", key: key, days: 10)
    let server = try Certificate.server(
      for: ["a.test", "::1"],
      key: other.publicKey,
      days: 5,
      signedBy: (authority, key)
    )
    #expect(server.isFor("a.test") && server.isFor("::1") && !server.isFor("b.test") && !server.isFor("127.0.0.1"))
    #expect(server.isSigned(by: key.publicKey) && !server.isSigned(by: other.publicKey))
    #expect(abs(server.notValidAfter.timeIntervalSinceNow - 5 * 86_400) < 60)
    #expect(try Certificate(pem: server.pem).pem == server.pem)
  }

  @Test func `a digest in pieces is that of the whole`() {
    var hash = SHA256()
    hash.update(Array("ab".utf8))
    hash.update([UInt8]())
    hash.update(Array("c".utf8))
    let digest = hash.finalize()
    // FIPS 180-4's own example.
    #expect(digest.hexadecimal == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(SHA256.hash(Array("abc".utf8)) == digest)
  }

  @Test func `base64url is without padding, and nothing else`() {
    #expect(Base64URL.encode([0xFB, 0xFF, 0xFE]) == "-__-")
    #expect(Base64URL.encode([0xFB]) == "-w")
    #expect(Base64URL.decode("-w".utf8) == Data([0xFB]))
    for text in ["-w==", "+w", "/w", "a", "a b", "ä", "-x", "-_9"] {
      #expect(Base64URL.decode(text.utf8) == nil, "\(text)")
    }
    for count in 0..<100 {
      let bytes = randomBytes(count)
      #expect(Base64URL.bytes(Base64URL.encode(bytes).utf8) == bytes)
    }
  }
}
