import COpenSSL

/// AES in Galois/Counter Mode (SP 800-38D) with nonces of 12 bytes and tags of 16, under a key of 16 or 32 bytes.
/// The key is in no description.
public struct AESGCM: Sendable, CustomStringConvertible, CustomReflectable {
  public static let tagCount = 16
  public static let nonceCount = 12

  private let key: [UInt8]

  public var description: String { "AESGCM" }
  public var customMirror: Mirror { Mirror(self, children: []) }

  public init(key: [UInt8]) throws(CryptographyError) {
    guard key.count == 16 || key.count == 32 else { throw .invalidKey("\(key.count) bytes: AES has 16 or 32") }
    self.key = key
  }

  /// The sealed bytes, and the tag after them. No two texts may have one nonce under one key.
  public func seal(_ bytes: [UInt8], nonce: [UInt8], header: [UInt8] = []) throws(CryptographyError) -> [UInt8] {
    try with(nonce, isSealing: true) { context throws(CryptographyError) in
      var sealed = [UInt8](repeating: 0, count: bytes.count + Self.tagCount)
      var (count, rest) = (Int32(0), Int32(0))
      guard header.isEmpty || EVP_EncryptUpdate(context, nil, &count, header, Int32(header.count)) == 1,
        bytes.isEmpty || EVP_EncryptUpdate(context, &sealed, &count, bytes, Int32(bytes.count)) == 1,
        EVP_EncryptFinal_ex(context, nil, &rest) == 1
      else { throw .failed(lastError()) }
      let isTagged = sealed.withUnsafeMutableBytes {
        EVP_CIPHER_CTX_ctrl(
          context,
          EVP_CTRL_AEAD_GET_TAG,
          Int32(Self.tagCount),
          $0.baseAddress.map { $0 + bytes.count }
        )
      }
      guard isTagged == 1 else { throw .failed(lastError()) }
      return sealed
    }
  }

  /// - Throws: ``CryptographyError/notAuthentic``.
  public func open(_ sealed: [UInt8], nonce: [UInt8], header: [UInt8] = []) throws(CryptographyError) -> [UInt8] {
    guard sealed.count >= Self.tagCount else { throw .notAuthentic }
    return try with(nonce, isSealing: false) { context throws(CryptographyError) in
      let length = sealed.count - Self.tagCount
      var tag = Array(sealed[length...])
      var bytes = [UInt8](repeating: 0, count: length)
      var (count, rest) = (Int32(0), Int32(0))
      guard header.isEmpty || EVP_DecryptUpdate(context, nil, &count, header, Int32(header.count)) == 1,
        length == 0 || EVP_DecryptUpdate(context, &bytes, &count, sealed, Int32(length)) == 1,
        EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(Self.tagCount), &tag) == 1
      else { throw .failed(lastError()) }
      guard EVP_DecryptFinal_ex(context, nil, &rest) == 1 else { throw .notAuthentic }
      return bytes
    }
  }

  private func with<Result>(
    _ nonce: [UInt8],
    isSealing: Bool,
    _ body: (OpaquePointer) throws(CryptographyError) -> Result
  ) throws(CryptographyError) -> Result {
    guard nonce.count == Self.nonceCount else { throw .failed("a nonce has \(Self.nonceCount) bytes") }
    guard let context = EVP_CIPHER_CTX_new() else { unrecoverable() }
    defer {
      EVP_CIPHER_CTX_free(context)
      ERR_clear_error()
    }
    let cipher = key.count == 16 ? Algorithms.aes128GCM : Algorithms.aes256GCM
    guard EVP_CipherInit_ex2(context, cipher, key, nonce, isSealing ? 1 : 0, nil) == 1 else {
      throw .failed(lastError())
    }
    return try body(context)
  }
}
