public import Cryptography
import Foundation

/// Signs JSON Web Tokens (RFC 7519) in the compact form (RFC 7515, section 3.1).
public struct TokenSigner: Sendable {
  private enum Key: Sendable {
    case shared(HMACSHA256)
    case own(PrivateKey)
  }

  private struct Header: Encodable {
    let alg: String
    let kid: String?
    var typ = "JWT"
  }

  private let key: Key
  private let header: Header

  /// Signs with HS256.
  ///
  /// - Throws: ``AuthenticationError/invalidConfiguration(_:)`` when the secret has fewer than 32 bytes.
  public init(sharedSecret: String) throws(AuthenticationError) {
    key = .shared(try HMACSHA256(tokenSecret: sharedSecret))
    header = Header(alg: TokenAlgorithm.hs256.rawValue, kid: nil)
  }

  /// Signs with RS256 or ES256, as the key is.
  ///
  /// - Parameter keyID: What the header calls the key; nil: nothing.
  public init(key: PrivateKey, keyID: String?) {
    self.key = .own(key)
    header = Header(alg: TokenAlgorithm(key.algorithm).rawValue, kid: keyID)
  }

  /// A signed token.
  ///
  /// - Throws: Where the claims are no JSON object, or OpenSSL cannot sign.
  public func sign(_ claims: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let parts = [try encoder.encode(header), try encoder.encode(claims)]
    let signed = parts.map { Base64URL.encode($0) }.joined(separator: ".")
    let signature =
      switch key {
      case .shared(let secret): secret.code(of: Array(signed.utf8))
      case .own(let key): try key.signature(of: Array(signed.utf8))
      }
    return "\(signed).\(Base64URL.encode(signature))"
  }
}
