/// How a key signs.
public enum SignatureAlgorithm: Sendable {
  /// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017): RS256 in JOSE.
  case rsa
  /// ECDSA on P-256 with SHA-256 (FIPS 186-5): ES256 in JOSE.
  case p256
}
