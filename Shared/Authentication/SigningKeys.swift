import Foundation
import JWTKit

/// The keys that a token may be signed with, each bound to exactly one algorithm.
///
/// Binding them defeats algorithm confusion: a public RSA key is never tried as an HMAC secret, whatever the header says.
struct SigningKeys: Sendable {
  private struct Key: Sendable {
    let id: String?
    let algorithm: any JWTAlgorithm
  }

  private var keys: [Key] = []

  var isEmpty: Bool { keys.isEmpty }

  /// Adds an HS256 secret.
  mutating func add(sharedSecret: String) async throws(AuthenticationError) {
    guard sharedSecret.utf8.count >= 32 else {
      throw .invalidConfiguration("the shared secret must have at least 32 bytes")
    }
    do {
      let algorithm = try await JWTKeyCollection()
        .add(hmac: HMACKey(from: sharedSecret), digestAlgorithm: .sha256).getKey()
      keys.append(Key(id: nil, algorithm: algorithm))
    } catch {
      throw .invalidConfiguration("the shared secret cannot be used")
    }
  }

  /// Adds the RS256 and ES256 keys of a key set; other kinds are left out, as RFC 7517, section 5, asks.
  mutating func add(keySet json: Data) async throws(AuthenticationError) {
    let before = keys.count
    do {
      for jwk in try JSONDecoder().decode(KeySet.self, from: json).keys {
        guard var jwk = jwk.key, let name = Self.algorithm(of: jwk) else { continue }
        let id = jwk.keyIdentifier?.string
        jwk.keyIdentifier = JWKIdentifier(string: id ?? "")
        let algorithm = try await JWTKeyCollection().add(jwk: jwk).getKey(alg: name)
        keys.append(Key(id: id, algorithm: algorithm))
      }
    } catch {
      throw .invalidConfiguration("the key set is no JSON Web Key Set")
    }
    guard keys.count > before else { throw .invalidConfiguration("the key set has no RS256 or ES256 key") }
  }

  /// Checks a signature with the keys of that algorithm, and of that id if the token names one.
  func verify(
    algorithm name: String,
    keyID: String?,
    signature: [UInt8],
    signs plaintext: [UInt8]
  ) throws(AuthenticationError) {
    let suitable = keys.filter { $0.algorithm.name == name }
    guard !suitable.isEmpty else { throw .unsupportedAlgorithm }
    // A key without id, such as the shared secret, fits whatever id a token carries.
    let candidates = suitable.filter { keyID == nil || $0.id == nil || $0.id == keyID }
    guard !candidates.isEmpty else { throw .unknownKey }
    for key in candidates where Self.isValid(signature, of: plaintext, with: key.algorithm) { return }
    throw .badSignature
  }

  private static func isValid(
    _ signature: [UInt8],
    of plaintext: [UInt8],
    with algorithm: any JWTAlgorithm
  ) -> Bool {
    do {
      return try algorithm.verify(signature, signs: plaintext)
    } catch {
      // A signature of the wrong length or shape: as invalid as any other.
      return false
    }
  }

  private static func algorithm(of jwk: JWK) -> String? {
    switch (jwk.keyType, jwk.algorithm) {
    case (.rsa, nil), (.rsa, .some(.rs256)): "RS256"
    case (.ecdsa, nil) where jwk.curve == .ecdsa(.p256): "ES256"
    case (.ecdsa, .some(.es256)): "ES256"
    default: nil
    }
  }
}

/// A JSON Web Key Set whose keys of unknown kinds are nil instead of errors.
private struct KeySet: Decodable {
  struct Entry: Decodable {
    let key: JWK?

    init(from decoder: any Decoder) throws {
      do {
        key = try JWK(from: decoder)
      } catch is DecodingError {
        key = nil
      }
    }
  }

  let keys: [Entry]
}
