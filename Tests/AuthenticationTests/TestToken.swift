import Cryptography

/// Tokens with any header and claims, sensible or not, properly signed.
enum TestToken {
  static func hs256(header: String, claims: String, secret: String) -> String {
    let key = HMACSHA256(key: Array(secret.utf8))
    return signed(header: header, claims: claims) { key.code(of: $0) }
  }

  static func signed(header: String, claims: String, with key: PrivateKey) throws -> String {
    try signed(header: header, claims: claims) { try key.signature(of: $0) }
  }

  private static func signed(
    header: String,
    claims: String,
    sign: ([UInt8]) throws -> [UInt8]
  ) rethrows -> String {
    let plaintext = "\(Base64URL.encode(header.utf8)).\(Base64URL.encode(claims.utf8))"
    return "\(plaintext).\(Base64URL.encode(try sign(Array(plaintext.utf8))))"
  }
}
