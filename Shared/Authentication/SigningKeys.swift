import Cryptography
import Foundation

/// The keys that a token may be signed with, each bound to exactly one algorithm.
///
/// Binding them defeats algorithm confusion: a public RSA key is never tried as an HMAC secret, whatever the header says.
struct SigningKeys: Sendable {
  private enum Key: Sendable {
    case shared(HMACSHA256)
    case published(PublicKey, id: String?)

    var algorithm: TokenAlgorithm {
      switch self {
      case .shared: .hs256
      case .published(let key, _): TokenAlgorithm(key.algorithm)
      }
    }

    /// The shared secret has none.
    var id: String? {
      switch self {
      case .shared: nil
      case .published(_, let id): id
      }
    }

    func isValid(_ signature: [UInt8], of bytes: [UInt8]) -> Bool {
      switch self {
      case .shared(let secret): secret.isValid(signature, of: bytes)
      case .published(let key, _): key.isValid(signature, of: bytes)
      }
    }
  }

  private var keys: [Key] = []

  var isEmpty: Bool { keys.isEmpty }

  /// Adds the key of an HS256 secret.
  mutating func add(_ secret: HMACSHA256) {
    keys.append(.shared(secret))
  }

  /// Adds the RS256 and ES256 keys of a key set; other kinds are left out, as RFC 7517, section 5, asks.
  mutating func add(keySet json: Data) throws(AuthenticationError) {
    let before = keys.count
    let set: JSONWebKeySet
    do {
      set = try JSONDecoder().decode(JSONWebKeySet.self, from: json)
    } catch {
      throw .invalidConfiguration("the key set is no JSON Web Key Set")
    }
    for entry in set.keys {
      do {
        if let key = try entry.publicKey() { keys.append(.published(key, id: entry.id)) }
      } catch {
        throw .invalidConfiguration("the key set's key '\(entry.id ?? "")' cannot be used: \(error)")
      }
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
    let suitable = keys.filter { $0.algorithm.rawValue == name }
    guard !suitable.isEmpty else { throw .unsupportedAlgorithm }
    // A key without id, such as the shared secret, fits whatever id a token carries.
    let candidates = suitable.filter { keyID == nil || $0.id == nil || $0.id == keyID }
    guard !candidates.isEmpty else { throw .unknownKey }
    guard candidates.contains(where: { $0.isValid(signature, of: plaintext) }) else { throw .badSignature }
  }
}
