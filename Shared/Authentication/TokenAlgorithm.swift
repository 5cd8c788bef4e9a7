import Cryptography

/// How tokens are signed (RFC 7518, section 3.1); `none` is not among them.
enum TokenAlgorithm: String, Sendable {
  case hs256 = "HS256"
  case rs256 = "RS256"
  case es256 = "ES256"

  init(_ algorithm: SignatureAlgorithm) {
    switch algorithm {
    case .rsa: self = .rs256
    case .p256: self = .es256
    }
  }
}

extension HMACSHA256 {
  /// The HS256 key of a shared secret.
  ///
  /// - Throws: ``AuthenticationError/invalidConfiguration(_:)`` when the secret has fewer than 32 bytes (RFC 7518, section 3.2).
  convenience init(tokenSecret secret: String) throws(AuthenticationError) {
    guard secret.utf8.count >= 32 else {
      throw .invalidConfiguration("the shared secret must have at least 32 bytes")
    }
    self.init(key: Array(secret.utf8))
  }
}
