import COpenSSL

/// What OpenSSL looks up by name, each once: a look-up takes longer than most of what it is for.
///
/// They are never freed and never changed, so all threads may use them.
enum Algorithms {
  nonisolated(unsafe) static let sha1 = found(EVP_MD_fetch(nil, "SHA1", nil))
  nonisolated(unsafe) static let sha256 = found(EVP_MD_fetch(nil, "SHA256", nil))
  nonisolated(unsafe) static let hmac = found(EVP_MAC_fetch(nil, "HMAC", nil))
  nonisolated(unsafe) static let hkdf = found(EVP_KDF_fetch(nil, "HKDF", nil))
  nonisolated(unsafe) static let aes128GCM = found(EVP_CIPHER_fetch(nil, "AES-128-GCM", nil))
  nonisolated(unsafe) static let aes256GCM = found(EVP_CIPHER_fetch(nil, "AES-256-GCM", nil))

  private static func found(_ algorithm: OpaquePointer?) -> OpaquePointer {
    guard let algorithm else { fatalError("OpenSSL 3 has an algorithm less than its default provider: \(lastError())") }
    return algorithm
  }
}

/// Ends the program where OpenSSL fails although nothing that it was given can be the reason: it has no memory, or is broken.
func unrecoverable() -> Never {
  fatalError("OpenSSL: \(lastError())")
}

/// OpenSSL's own words for what failed last on this thread, and forgets it.
func lastError() -> String {
  let code = ERR_peek_last_error()
  ERR_clear_error()
  return ERR_reason_error_string(code).map { String(cString: $0) } ?? "unknown error"
}
