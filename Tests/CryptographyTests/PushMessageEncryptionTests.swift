import Cryptography
import Foundation
import Testing

/// Messages to browsers, by the vectors of RFC 8291, section 5 and appendix A.
@Suite struct PushMessageEncryptionTests {
  private let text = Array("When I grow up, I want to be a watermelon".utf8)
  private let message = Self.bytes(
    """
    DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95b\
    Qpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN
    """
  )
  private let secret = Self.bytes("BTBZMqHH6r4Tts7J_aSIgg")

  private static func bytes(_ text: String) -> [UInt8] { Base64URL.bytes(text.utf8) ?? [] }

  private func receiver() throws -> PrivateKey {
    try PrivateKey(p256: Self.bytes("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"))
  }

  private func sender() throws -> PrivateKey {
    try PrivateKey(p256: Self.bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
  }

  @Test func `the keys of the vectors agree on the secret of appendix A`() throws {
    let secret = try sender().sharedSecret(with: receiver().publicKey)
    #expect(secret == Self.bytes("kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs"))
  }

  @Test func `the text of section 5 becomes the message of section 5, and comes out of it`() throws {
    let salt = Self.bytes("DGv6ra1nlYgDCS1FRnbzlw")
    let made = try PushMessageEncryption.encrypt(
      text,
      for: receiver().publicKey,
      secret: secret,
      by: sender(),
      salt: salt
    )
    #expect(made == message)
    #expect(try PushMessageEncryption.decrypt(message, by: receiver(), secret: secret) == text)
  }

  @Test(arguments: [0, 1, 3_992, 3_993]) func `a text of any length comes back, in 4,096 bytes at most`(_ count: Int)
    throws
  {
    let text = [UInt8](repeating: 0, count: count)
    let first = try PushMessageEncryption.encrypt(text, for: receiver().publicKey, secret: secret)
    let second = try PushMessageEncryption.encrypt(text, for: receiver().publicKey, secret: secret)
    #expect(first.count == count + 103 && first.count <= 4_096)
    // Salt and key pair are each message's own.
    #expect(first.prefix(16) != second.prefix(16) && first[21..<86] != second[21..<86])
    #expect(try PushMessageEncryption.decrypt(first, by: receiver(), secret: secret) == text)
  }

  @Test func `a longer text is refused`() throws {
    let text = [UInt8](repeating: 32, count: PushMessageEncryption.maximumText + 1)
    #expect(throws: CryptographyError.self) {
      try PushMessageEncryption.encrypt(text, for: receiver().publicKey, secret: secret)
    }
  }

  @Test func `no changed byte, other secret or other key passes`() throws {
    for index in [0, 15, 16, 20, 21, 85, 86, message.count - 1] {
      var changed = message
      changed[index] ^= 1
      // The high byte of the size of a record alone may change: the message has one record either way.
      if index == 16 { continue }
      #expect(throws: CryptographyError.self, "\(index)") {
        try PushMessageEncryption.decrypt(changed, by: receiver(), secret: secret)
      }
    }
    #expect(throws: CryptographyError.notAuthentic) {
      try PushMessageEncryption.decrypt(message, by: receiver(), secret: [UInt8](repeating: 0, count: 16))
    }
    #expect(throws: CryptographyError.notAuthentic) {
      try PushMessageEncryption.decrypt(message, by: PrivateKey(.p256), secret: secret)
    }
    for count in [0, 1, 86, 102] {
      #expect(throws: CryptographyError.self) {
        try PushMessageEncryption.decrypt(Array(message.prefix(count)), by: receiver(), secret: secret)
      }
    }
  }
}
