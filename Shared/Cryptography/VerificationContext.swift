import COpenSSL

/// What verifies signatures over SHA-256 under one key, one after another: to set it up takes as long as to verify one by RSA.
///
/// OpenSSL lets one thread at a time use it: whoever has it alone, by ``KeyHandle``.
final class VerificationContext: @unchecked Sendable {
  private let pointer: OpaquePointer

  init(_ key: OpaquePointer, _ algorithm: SignatureAlgorithm) {
    guard let pointer = EVP_PKEY_CTX_new(key, nil), EVP_PKEY_verify_init(pointer) == 1,
      algorithm != .rsa || EVP_PKEY_CTX_set_rsa_padding(pointer, RSA_PKCS1_PADDING) == 1,
      EVP_PKEY_CTX_set_signature_md(pointer, Algorithms.sha256) == 1
    else { unrecoverable() }
    self.pointer = pointer
  }

  deinit {
    EVP_PKEY_CTX_free(pointer)
  }

  /// - Parameters:
  ///   - signature: As X.509 has it: of P-256 in DER.
  ///   - digest: 32 bytes.
  func isValid(_ signature: [UInt8], of digest: [UInt8]) -> Bool {
    defer { ERR_clear_error() }
    return EVP_PKEY_verify(pointer, signature, signature.count, digest, digest.count) == 1
  }
}
