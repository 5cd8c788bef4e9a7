import Cryptography
import Foundation
import Testing

/// How an application server says who it is, by the vector of RFC 8292, section 2.4.
@Suite struct VAPIDKeyTests {
  private let token = """
    eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1MjM3NjgsInN1YiI6Im1haW\
    x0bzpwdXNoQGV4YW1wbGUuY29tIn0.i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSSHzvoD1oA
    """
  private let key = "BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs"

  @Test func `the vector's signature is its key's`() throws {
    let parts = token.split(separator: ".")
    let point = try #require(Base64URL.bytes(key.utf8))
    let signature = try #require(Base64URL.bytes(parts[2].utf8))
    let signed = Array("\(parts[0]).\(parts[1])".utf8)
    #expect(try PublicKey(p256: point).isValid(signature, of: signed))
    #expect(try !PublicKey(p256: point).isValid(signature, of: signed + [0]))
  }

  @Test func `of the vector's claims it makes the vector's token, but for the signature, which is its own`() throws {
    let key = try VAPIDKey(PrivateKey(.p256))
    let value = try key.authorization(
      for: "https://push.example.net",
      subject: "mailto:push@example.com",
      expiry: 1_453_523_768
    )
    let fields = value.split(separator: " ")
    try #require(fields.count == 3 && fields[0] == "vapid")
    #expect(fields[2] == "k=\(key.publicText)")
    let parts = fields[1].dropFirst(2).dropLast().split(separator: ".")
    #expect(parts.prefix(2) == token.split(separator: ".").prefix(2))
    let point = try #require(Base64URL.bytes(key.publicText.utf8))
    let signature = try #require(Base64URL.bytes(parts[2].utf8))
    #expect(try PublicKey(p256: point).isValid(signature, of: Array("\(parts[0]).\(parts[1])".utf8)))
  }

  @Test func `a key that was written and read again has the same id and public half`() throws {
    let key = try VAPIDKey(PrivateKey(.p256))
    let again = try VAPIDKey(PrivateKey(pem: key.pem, .p256))
    #expect(again.id == key.id && again.publicText == key.publicText && key.id.utf8.count == 11)
    #expect(try VAPIDKey(PrivateKey(.p256)).id != key.id)
  }

  @Test func `neither its description nor its mirror has the private half`() throws {
    let key = try VAPIDKey(PrivateKey(.p256))
    let secret = key.pem.split(separator: "\n")[1]
    var dumped = ""
    dump(key, to: &dumped)
    #expect(!"\(key)".contains(secret) && !dumped.contains(secret) && dumped.contains(key.id))
  }

  @Test func `a key that signs otherwise is refused`() throws {
    #expect(throws: CryptographyError.self) { try VAPIDKey(PrivateKey(.rsa)) }
  }
}
