import Cryptography
import Foundation

/// A key of a JSON Web Key Set (RFC 7517), as far as Belfry can use it.
struct JSONWebKey: Decodable {
  /// How the key signs; nil for a kind or an algorithm that is left out, as RFC 7517, section 5, asks.
  let algorithm: SignatureAlgorithm?
  let id: String?

  /// RSA: the modulus and the exponent. P-256: the coordinates. In base64url.
  private let numbers: [String?]

  private enum CodingKeys: String, CodingKey {
    case kty, alg, use, kid, crv, n, e, x, y
    case operations = "key_ops"
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func text(_ key: CodingKeys) throws -> String? { try values.decodeIfPresent(String.self, forKey: key) }
    id = try text(.kid)
    let operations = try values.decodeIfPresent([String].self, forKey: .operations) ?? ["verify"]
    let verifies = try text(.use) ?? "sig" == "sig" && operations.contains("verify")
    switch (verifies, try text(.kty), try text(.alg), try text(.crv)) {
    case (true, "RSA", nil, _), (true, "RSA", "RS256", _):
      algorithm = .rsa
      numbers = [try text(.n), try text(.e)]
    case (true, "EC", nil, "P-256"), (true, "EC", "ES256", "P-256"):
      algorithm = .p256
      numbers = [try text(.x), try text(.y)]
    default:
      algorithm = nil
      numbers = []
    }
  }

  /// The key itself; nil where it is left out.
  ///
  /// - Throws: ``CryptographyError/invalidKey(_:)`` where its numbers are no such key.
  func publicKey() throws(CryptographyError) -> PublicKey? {
    guard let algorithm else { return nil }
    let numbers = numbers.compactMap { number in
      // Some pad it, though they should not.
      number.flatMap { Base64URL.decode($0.utf8.filter { $0 != UInt8(ascii: "=") }) }.map { [UInt8]($0) }
    }
    guard numbers.count == 2 else { throw .invalidKey("a number is missing, or is no base64url") }
    switch algorithm {
    case .rsa: return try PublicKey(rsaModulus: numbers[0], exponent: numbers[1])
    case .p256:
      guard numbers.allSatisfy({ $0.count == 32 }) else { throw .invalidKey("a coordinate of P-256 has 32 bytes") }
      return try PublicKey(p256: [4] + numbers[0] + numbers[1])
    }
  }
}

/// A JSON Web Key Set (RFC 7517, section 5).
struct JSONWebKeySet: Decodable {
  private struct Entry: Decodable {
    /// Nil for one that is no key of any kind that could be read.
    let key: JSONWebKey?

    init(from decoder: any Decoder) throws {
      do {
        key = try JSONWebKey(from: decoder)
      } catch is DecodingError {
        key = nil
      }
    }
  }

  private enum CodingKeys: CodingKey {
    case keys
  }

  let keys: [JSONWebKey]

  init(from decoder: any Decoder) throws {
    keys = try decoder.container(keyedBy: CodingKeys.self).decode([Entry].self, forKey: .keys).compactMap(\.key)
  }
}
