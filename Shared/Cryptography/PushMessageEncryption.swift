/// Encrypts what a browser alone is to read (RFC 8291): one record of the content coding `aes128gcm` (RFC 8188).
///
/// Each message has a key pair and a salt of its own.
public enum PushMessageEncryption {
  /// Bytes of text in a message of 4,096 bytes, which every push service takes (RFC 8030, section 7.2).
  public static let maximumText = 3_993

  private static let recordSize = 4_096
  private static let saltCount = 16
  private static let pointCount = 65
  /// Salt, size of a record, length of the sender's point, and the point.
  private static let headerCount = saltCount + 4 + 1 + pointCount
  /// Bytes of a message beside its text.
  public static let overhead = headerCount + 1 + AESGCM.tagCount
  /// After the text of the last record.
  private static let delimiter: UInt8 = 2

  /// - Parameters:
  ///   - receiver: The subscription's `p256dh`.
  ///   - secret: The subscription's `auth`.
  /// - Throws: ``CryptographyError/failed(_:)`` for a text of more than ``maximumText`` bytes.
  public static func encrypt(
    _ text: [UInt8],
    for receiver: PublicKey,
    secret: [UInt8]
  ) throws(CryptographyError) -> [UInt8] {
    try encrypt(text, for: receiver, secret: secret, by: PrivateKey(.p256), salt: randomBytes(saltCount))
  }

  /// The same with a key pair and a salt that are known, for the vectors of RFC 8291.
  package static func encrypt(
    _ text: [UInt8],
    for receiver: PublicKey,
    secret: [UInt8],
    by sender: PrivateKey,
    salt: [UInt8]
  ) throws(CryptographyError) -> [UInt8] {
    guard text.count <= maximumText else { throw .failed("a text has \(maximumText) bytes at most") }
    guard let own = sender.publicKey.point, let other = receiver.point, salt.count == saltCount else {
      throw .invalidKey("no key on P-256")
    }
    let (key, nonce) = derive(
      from: try sender.sharedSecret(with: receiver),
      secret: secret,
      points: other + own,
      salt: salt
    )
    let size = withUnsafeBytes(of: UInt32(recordSize).bigEndian) { Array($0) }
    return salt + size + [UInt8(own.count)] + own + (try AESGCM(key: key).seal(text + [delimiter], nonce: nonce))
  }

  /// - Parameters:
  ///   - receiver: The key pair of the subscription.
  ///   - secret: Its `auth`.
  /// - Throws: ``CryptographyError``, also for what is no single record.
  public static func decrypt(
    _ message: [UInt8],
    by receiver: PrivateKey,
    secret: [UInt8]
  ) throws(CryptographyError) -> [UInt8] {
    guard message.count > headerCount + AESGCM.tagCount, message[saltCount + 4] == UInt8(pointCount),
      let own = receiver.publicKey.point
    else { throw .failed("no header of aes128gcm with a point of P-256") }
    let size = message[saltCount..<saltCount + 4].reduce(0) { $0 << 8 | Int($1) }
    guard size >= 18, message.count - headerCount <= size else { throw .failed("more than one record") }
    let salt = Array(message.prefix(saltCount))
    let other = Array(message[(saltCount + 5)..<headerCount])
    let (key, nonce) = derive(
      from: try receiver.sharedSecret(with: PublicKey(p256: other)),
      secret: secret,
      points: own + other,
      salt: salt
    )
    let padded = try AESGCM(key: key).open(Array(message[headerCount...]), nonce: nonce)
    guard let end = padded.lastIndex(where: { $0 != 0 }), padded[end] == delimiter else {
      throw .failed("no delimiter of the last record")
    }
    return Array(padded[..<end])
  }

  /// - Parameter points: The receiver's, then the sender's.
  private static func derive(
    from shared: [UInt8],
    secret: [UInt8],
    points: [UInt8],
    salt: [UInt8]
  ) -> (key: [UInt8], nonce: [UInt8]) {
    let input = HKDF.derive(from: shared, salt: secret, info: Array("WebPush: info\0".utf8) + points, count: 32)
    func derived(_ name: String, _ count: Int) -> [UInt8] {
      HKDF.derive(from: input, salt: salt, info: Array("Content-Encoding: \(name)\0".utf8), count: count)
    }
    return (derived("aes128gcm", 16), derived("nonce", AESGCM.nonceCount))
  }
}
