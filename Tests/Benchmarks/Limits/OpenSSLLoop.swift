import COpenSSL

/// What OpenSSL alone takes for a message to a browser: a key pair, ECDH with the browser's point, AES-GCM of the text.
///
/// No less is possible: the key pair may not be used twice (RFC 8291), and each message has another receiver. The derivation of the
/// keys in between, a few hashes, is left out.
enum OpenSSLLoop {
  /// Processor time of one message, in microseconds.
  ///
  /// - Parameter withKeyPair: Whether each message has a key pair of its own; else all have the same one.
  static func measure(_ text: [UInt8], to point: [UInt8], count: Int, withKeyPair: Bool = true) throws -> Double {
    guard let cipher = EVP_CIPHER_fetch(nil, "AES-128-GCM", nil), let sealing = EVP_CIPHER_CTX_new() else {
      throw BenchError("OpenSSL has no AES-128-GCM")
    }
    defer {
      EVP_CIPHER_CTX_free(sealing)
      EVP_CIPHER_free(cipher)
    }
    let kept = withKeyPair ? nil : copenssl_generate_p256()
    defer { EVP_PKEY_free(kept) }
    guard withKeyPair || kept != nil else { throw BenchError("OpenSSL made no key pair") }
    let nonce = [UInt8](repeating: 0, count: 12)
    var secret = [UInt8](repeating: 0, count: 32)
    var tag = [UInt8](repeating: 0, count: 16)
    var sealed = [UInt8](repeating: 0, count: text.count + 16)
    let started = OwnThread.cpuSeconds
    for _ in 0..<count {
      guard agree(on: &secret, with: point, by: kept) else { throw BenchError("OpenSSL's ECDH failed") }
      var (size, rest) = (Int32(0), Int32(0))
      guard EVP_EncryptInit_ex2(sealing, cipher, secret, nonce, nil) == 1,
        EVP_EncryptUpdate(sealing, &sealed, &size, text, Int32(text.count)) == 1,
        EVP_EncryptFinal_ex(sealing, &tag, &rest) == 1,
        EVP_CIPHER_CTX_ctrl(sealing, EVP_CTRL_AEAD_GET_TAG, Int32(tag.count), &tag) == 1
      else { throw BenchError("OpenSSL's AES-GCM failed") }
    }
    return (OwnThread.cpuSeconds - started) * 1_000_000 / Double(count)
  }

  /// - Parameter kept: The key pair; nil: a new one.
  private static func agree(on secret: inout [UInt8], with point: [UInt8], by kept: OpaquePointer?) -> Bool {
    let made = kept == nil ? copenssl_generate_p256() : nil
    defer { EVP_PKEY_free(made) }
    guard let own = kept ?? made else { return false }
    guard let other = copenssl_p256_public_key(point, point.count) else { return false }
    defer { EVP_PKEY_free(other) }
    guard let exchange = EVP_PKEY_CTX_new(own, nil) else { return false }
    defer { EVP_PKEY_CTX_free(exchange) }
    var count = secret.count
    return EVP_PKEY_derive_init(exchange) == 1 && EVP_PKEY_derive_set_peer(exchange, other) == 1
      && EVP_PKEY_derive(exchange, &secret, &count) == 1
  }
}
