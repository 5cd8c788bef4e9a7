import COpenSSL

extension Certificate {
  /// Whether a signature (RSASSA-PKCS1-v1_5) is that of the bytes by the certificate's RSA key. Nothing is said of who signed the
  /// certificate itself.
  ///
  /// - Parameter usingSHA1: Instead of SHA-256, for signers that have no other digest.
  public func isValid(_ signature: [UInt8], of bytes: [UInt8], usingSHA1: Bool) -> Bool {
    defer { ERR_clear_error() }
    guard let key = X509_get0_pubkey(pointer), EVP_PKEY_is_a(key, "RSA") == 1, EVP_PKEY_get_bits(key) >= 2_048,
      let context = EVP_MD_CTX_new()
    else { return false }
    defer { EVP_MD_CTX_free(context) }
    let digest = usingSHA1 ? Algorithms.sha1 : Algorithms.sha256
    guard EVP_DigestVerifyInit(context, nil, digest, nil, key) == 1 else { return false }
    return EVP_DigestVerify(context, signature, signature.count, bytes, bytes.count) == 1
  }
}
