/// How services know the VAPID key (RFC 8292) that a browser's subscription was made with: gateways store it, dispatchers look it up.
public enum VAPIDKeyID {
  /// The first 8 bytes of the public key's SHA-256, in base64url: 11 characters.
  ///
  /// - Parameter publicKey: A point of P-256, uncompressed: 65 bytes.
  public static func of(_ publicKey: [UInt8]) -> String { Base64URL.encode(SHA256.hash(publicKey).prefix(8)) }
}
