import Cryptography
import Foundation
import Testing

@testable import PushDispatcher

@Suite struct VAPIDSignaturesTests {
  private let keys: [VAPIDKey]
  private let now = Date(timeIntervalSince1970: 1_800_000_000)

  init() throws {
    keys = [try VAPIDKey(PrivateKey(.p256)), try VAPIDKey(PrivateKey(.p256))]
  }

  private func claims(_ authorization: String) throws -> [String: Any] {
    let token = try #require(authorization.split(separator: " ").dropFirst().first?.dropFirst(2).dropLast())
    let bytes = try #require(Base64URL.decode(token.split(separator: ".")[1].utf8))
    return try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
  }

  @Test func `one is signed for each origin and key, and used for six hours of its twelve`() throws {
    let signatures = VAPIDSignatures(keys: keys, subject: "mailto:a@example.com")
    func signed(_ origin: String, _ key: Int = 0, at seconds: Double = 0) throws -> String {
      try signatures.authorization(for: origin, by: keys[key], at: now + seconds)
    }
    let first = try signed("https://a.example")
    #expect(try signed("https://a.example", at: 21_599) == first)
    #expect(try signed("https://b.example") != first)
    #expect(try signed("https://a.example", 1) != first)
    let claims = try claims(first)
    #expect(claims["aud"] as? String == "https://a.example")
    #expect(claims["exp"] as? Int == 1_800_043_200)
    #expect(claims["sub"] as? String == "mailto:a@example.com")
    let renewed = try signed("https://a.example", at: 21_600)
    #expect(try self.claims(renewed)["exp"] as? Int == 1_800_064_800)
    // A clock that was set back.
    #expect(try self.claims(signed("https://a.example", at: -1))["exp"] as? Int == 1_800_043_199)
  }

  @Test func `a subscription's key is its own, and if nobody knows it either may be`() {
    let signatures = VAPIDSignatures(keys: keys, subject: "mailto:a@example.com")
    #expect(signatures.keys(of: keys[1].id).map(\.id) == [keys[1].id])
    #expect(signatures.keys(of: nil).map(\.id) == keys.map(\.id))
    #expect(signatures.keys(of: "other").isEmpty)
  }

  @Test func `any number of origins is signed for, and memory stays bounded`() throws {
    let signatures = VAPIDSignatures(keys: keys, subject: "mailto:a@example.com")
    let first = try signatures.authorization(for: "https://0.example", by: keys[0], at: now)
    for number in 1...VAPIDSignatures.maximumCount {
      _ = try signatures.authorization(for: "https://\(number).example", by: keys[0], at: now)
    }
    // ES256 signs each time anew: it was forgotten.
    #expect(try signatures.authorization(for: "https://0.example", by: keys[0], at: now) != first)
  }
}
