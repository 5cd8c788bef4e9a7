import Cryptography
import TestSupport
import Testing

/// Vectors that have broken others.
@Suite struct WycheproofTests {
  private struct SignatureLine: Decodable {
    struct Case: Decodable {
      let id: Int
      let message: Wycheproof.Bytes
      let signature: Wycheproof.Bytes
      let result: Wycheproof.Verdict
    }

    let key: String
    let cases: [Case]
  }

  @Test(arguments: [
    ("rsa", SignatureAlgorithm.rsa, 259, false), ("ecdsa-jose", .p256, 262, false), ("ecdsa-der", .p256, 484, true),
  ])
  func signatures(_ file: String, _ algorithm: SignatureAlgorithm, _ count: Int, _ isDER: Bool) throws {
    var seen = 0
    for line: SignatureLine in try Wycheproof.read(file) {
      let key = try PublicKey(pem: line.key, algorithm)
      for each in line.cases {
        let (signature, message) = (each.signature.bytes, each.message.bytes)
        let isValid = isDER ? key.isValid(der: signature, of: message) : key.isValid(signature, of: message)
        if each.result != .acceptable { #expect(isValid == (each.result == .valid), "\(file) \(each.id)") }
        seen += 1
      }
    }
    #expect(seen == count)
  }

  private struct AgreementLine: Decodable {
    let id: Int
    let `public`: Wycheproof.Bytes
    let `private`: Wycheproof.Bytes
    let shared: Wycheproof.Bytes
    let result: Wycheproof.Verdict
  }

  @Test func `secrets of two keys`() throws {
    let lines: [AgreementLine] = try Wycheproof.read("ecdh")
    #expect(lines.count == 355)
    for line in lines {
      let number = line.private.bytes.drop { $0 == 0 }
      let key = try PrivateKey(p256: Array(repeating: 0, count: 32 - number.count) + number)
      do throws(CryptographyError) {
        let secret = try key.sharedSecret(with: try PublicKey(p256: line.public.bytes))
        #expect(line.result != .invalid && secret == line.shared.bytes, "\(line.id)")
      } catch {
        #expect(line.result != .valid, "\(line.id): \(error)")
      }
    }
  }

  private struct SealingLine: Decodable {
    let id: Int
    let key: Wycheproof.Bytes
    let nonce: Wycheproof.Bytes
    let header: Wycheproof.Bytes
    let message: Wycheproof.Bytes
    let sealed: Wycheproof.Bytes
    let result: Wycheproof.Verdict
  }

  @Test func `sealed texts`() throws {
    let lines: [SealingLine] = try Wycheproof.read("aes-gcm")
    #expect(lines.count == 133)
    for line in lines {
      let key = try AESGCM(key: line.key.bytes)
      let (nonce, header) = (line.nonce.bytes, line.header.bytes)
      if line.result == .valid {
        #expect(try key.seal(line.message.bytes, nonce: nonce, header: header) == line.sealed.bytes, "\(line.id)")
        #expect(try key.open(line.sealed.bytes, nonce: nonce, header: header) == line.message.bytes, "\(line.id)")
      } else {
        #expect(throws: CryptographyError.notAuthentic, "\(line.id)") {
          try key.open(line.sealed.bytes, nonce: nonce, header: header)
        }
      }
    }
  }

  private struct DerivationLine: Decodable {
    let id: Int
    let secret: Wycheproof.Bytes
    let salt: Wycheproof.Bytes
    let info: Wycheproof.Bytes
    let count: Int
    let derived: Wycheproof.Bytes
  }

  @Test func `derived keys`() throws {
    let lines: [DerivationLine] = try Wycheproof.read("hkdf")
    #expect(lines.count == 83)
    for line in lines {
      let derived = HKDF.derive(
        from: line.secret.bytes,
        salt: line.salt.bytes,
        info: line.info.bytes,
        count: line.count
      )
      #expect(derived == line.derived.bytes, "\(line.id)")
    }
  }

  private struct CodeLine: Decodable {
    let id: Int
    let key: Wycheproof.Bytes
    let message: Wycheproof.Bytes
    let code: Wycheproof.Bytes
    let result: Wycheproof.Verdict
  }

  @Test func codes() throws {
    let lines: [CodeLine] = try Wycheproof.read("hmac")
    #expect(lines.count == 87)
    for line in lines {
      let isValid = HMACSHA256(key: line.key.bytes).isValid(line.code.bytes, of: line.message.bytes)
      #expect(isValid == (line.result == .valid), "\(line.id)")
    }
  }
}
