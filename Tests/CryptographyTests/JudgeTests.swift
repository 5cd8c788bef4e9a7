import Cryptography
import Foundation
import TestSupport
import Testing

/// What this module makes, read by PyPI's cryptography, and the other way round.
@Suite struct JudgeTests {
  private static let script = "Tests/CryptographyTests/judge.py"
  private static let seed = UInt64(20_261_124)
  /// Of each kind; making keys takes most of the time.
  private static let count = TestScope.cases(15, long: 100)

  /// A line of the judge's; members are there as its kind needs them.
  private struct Case: Codable {
    var kind: String
    var key: String?
    var message: String?
    var signature: String?
    var der: String?
    var scalar: String?
    var point: String?
    var secret: String?
    var nonce: String?
    var header: String?
    var sealed: String?
    var salt: String?
    var info: String?
    var derived: String?
    var code: String?
    var authority: String?
    var server: String?
    var hosts: [String]?

    func bytes(_ member: KeyPath<Case, String?>) throws -> [UInt8] {
      let text = try #require(self[keyPath: member])
      return try #require([UInt8](hexadecimal: text))
    }
  }

  @Test func `what others make is read`() throws {
    var kinds: [String: Int] = [:]
    for line in try Python.lines(of: Self.script, ["make", "\(Self.seed)", "\(7 * Self.count)"]) {
      let made = try JSONDecoder().decode(Case.self, from: line)
      kinds[made.kind, default: 0] += 1
      try check(made)
    }
    #expect(kinds.count == 7 && kinds.values.allSatisfy { $0 == Self.count })
  }

  private func check(_ made: Case) throws {
    switch made.kind {
    case "rsa_signature", "p256_signature":
      let algorithm = made.kind == "rsa_signature" ? SignatureAlgorithm.rsa : .p256
      let key = try PrivateKey(pem: try #require(made.key), algorithm)
      let (message, signature) = (try made.bytes(\.message), try made.bytes(\.signature))
      #expect(key.publicKey.isValid(signature, of: message))
      #expect(!key.publicKey.isValid(signature, of: message + [0]))
      // PKCS #1 has one signature only.
      if algorithm == .rsa { #expect(try key.signature(of: message) == signature) }
    case "agreement":
      let key = try PrivateKey(p256: try made.bytes(\.scalar))
      #expect(try key.sharedSecret(with: PublicKey(p256: try made.bytes(\.point))) == made.bytes(\.secret))
    case "sealing":
      let key = try AESGCM(key: try made.bytes(\.key))
      let (nonce, header, sealed) = (try made.bytes(\.nonce), try made.bytes(\.header), try made.bytes(\.sealed))
      #expect(try key.open(sealed, nonce: nonce, header: header) == made.bytes(\.message))
      #expect(try key.seal(made.bytes(\.message), nonce: nonce, header: header) == sealed)
    case "derivation":
      let derived = try made.bytes(\.derived)
      let ours = HKDF.derive(
        from: try made.bytes(\.secret),
        salt: try made.bytes(\.salt),
        info: try made.bytes(\.info),
        count: derived.count
      )
      #expect(ours == derived)
    case "code": #expect(try HMACSHA256(key: made.bytes(\.key)).code(of: made.bytes(\.message)) == made.bytes(\.code))
    case "token": break  // AuthenticationTests reads them.
    default: Issue.record("an unknown kind: \(made.kind)")
    }
  }

  @Test func `others read what is made here`() throws {
    var dice = SplitMix64(seed: Self.seed)
    var lines: [Data] = []
    for _ in 0..<Self.count { lines += try made(&dice).map { try JSONEncoder().encode($0) } }
    let file = FileManager.default.temporaryDirectory.appending(path: "belfry-judge-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(lines.joined(separator: [UInt8(ascii: "\n")])).write(to: file)
    let objections = try Python.lines(of: Self.script, ["check", file.path])
    #expect(objections.isEmpty, "\(objections.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n"))")
    // It would say so.
    var wrong = try JSONDecoder().decode(Case.self, from: lines[0])
    wrong.message = (wrong.message ?? "") + "00"
    try JSONEncoder().encode(wrong).write(to: file)
    #expect(try Python.lines(of: Self.script, ["check", file.path]).count == 1)
  }

  private func made(_ dice: inout SplitMix64) throws -> [Case] {
    func bytes(_ range: ClosedRange<Int>) -> [UInt8] {
      (0..<Int.random(in: range, using: &dice)).map { _ in UInt8.random(in: 0 ... .max, using: &dice) }
    }
    let message = bytes(0...300)
    let (rsa, p256, other) = (try PrivateKey(.rsa), try PrivateKey(.p256), try PrivateKey(.p256))
    var signed = Case(kind: "rsa_signature", key: rsa.pem, message: message.hexadecimal)
    signed.signature = try rsa.signature(of: message).hexadecimal
    var onCurve = Case(kind: "p256_signature", key: p256.pem, message: message.hexadecimal)
    onCurve.signature = try p256.signature(of: message).hexadecimal
    onCurve.der = try p256.derSignature(of: message).hexadecimal
    var agreed = Case(kind: "agreement", key: p256.pem)
    agreed.point = try #require(other.publicKey.point).hexadecimal
    agreed.secret = try other.sharedSecret(with: p256.publicKey).hexadecimal
    let (key, nonce, header) = (bytes(0...0) + randomBytes(32), randomBytes(12), bytes(0...40))
    var sealed = Case(kind: "sealing", key: key.hexadecimal, message: message.hexadecimal)
    sealed.nonce = nonce.hexadecimal
    sealed.header = header.hexadecimal
    sealed.sealed = try AESGCM(key: key).seal(message, nonce: nonce, header: header).hexadecimal
    let authority = try Certificate.authority(named: "An authority", key: other, days: 10)
    var certificate = Case(kind: "certificate", key: p256.pem)
    certificate.hosts = ["localhost", "127.0.0.1", "::1", "fcm.test"]
    certificate.authority = authority.pem
    certificate.server = try Certificate.server(
      for: try #require(certificate.hosts),
      key: p256.publicKey,
      days: 5,
      signedBy: (authority, other)
    ).pem
    return [signed, onCurve, agreed, sealed, certificate]
  }
}
